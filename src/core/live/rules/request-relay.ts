/** Carries what nodes note about a key's requests to whoever follows the key, on any node. */
export interface RequestRelay<Item> {
  /** Asked for every request. */
  isFollowed(keyId: string): boolean;
  /** Never waits or fails: what cannot be sent is counted as missed. */
  send(keyId: string, item: Item): void;
  /** Resolves to a function that ends it, once the other nodes were told. */
  follow(keyId: string, follower: RequestFollower<Item>): Promise<() => void>;
}

export interface RequestFollower<Item> {
  receive(items: readonly Item[], missed: number): void;
  /** Whether the requests that other nodes serve arrive. */
  reach(allNodes: boolean): void;
}
