/** The public interface of the change feed. */
export { announceOnce, createChangeFeed, type NodeFeed } from './create-change-feed.ts';
export { NODE_NAMES, type NodeName, nameNode, readNodeName } from './node-name.ts';
