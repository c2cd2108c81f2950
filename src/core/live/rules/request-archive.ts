import type { Mode } from '../../base/mode.ts';

/** Notes are kept apart by organization, by mode, and by how the requests ended. */
export interface ArchivedKind {
  organizationId: string;
  mode: Mode;
  isRefused: boolean;
}

/** Keeps the newest notes of requests for some days, those of refused ones apart, so that others do not crowd them out. */
export interface RequestArchive<Item> {
  /** Called for every request, so it must not wait: of many in a second only some are kept. */
  hasRoom(kind: ArchivedKind): boolean;
  /** Never waits or fails: what cannot be kept is lost. */
  add(kind: ArchivedKind, item: Item): void;
  /** Newest first. Fails with `service_unavailable` while Redis does not answer. */
  read(kind: ArchivedKind): Promise<Item[]>;
}
