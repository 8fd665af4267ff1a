/**
 * State that one node keeps in memory, such as queries that callers share or a worker thread: made when it is first needed, and closed
 * with the node. Modules keep none of it, so that two nodes in one process share nothing and a closed node leaves nothing behind.
 */
export class NodeState<Services> {
  readonly #services: Services;
  readonly #states = new Map<unknown, { close?(): unknown }>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** The one that `create` made for this node. Pass the function itself: it is what the state is found by. */
  of<State extends object>(create: (services: Services) => State): State {
    const known = this.#states.get(create) ?? create(this.#services);
    this.#states.set(create, known);
    return known as State;
  }

  async close(): Promise<void> {
    await Promise.all(this.#states.values().map(async (state) => state.close?.()));
  }
}
