/** Carries what nodes note about a key's requests to whoever follows the key, on any node. */
export interface RequestRelay<Item> {
  /** Called for every request, so it must not wait. */
  isFollowed(keyId: string): boolean;
  /** Never waits or fails: what cannot be sent is counted as missed. */
  send(keyId: string, item: Item): void;
  /** Resolves once the other nodes know of it, to a function that stops following. */
  follow(keyId: string, follower: RequestFollower<Item>): Promise<() => void>;
}

export interface RequestFollower<Item> {
  receive(items: readonly Item[], missed: number): void;
  /** Says whether requests that other nodes serve arrive as well. */
  setScope(allNodes: boolean): void;
}
