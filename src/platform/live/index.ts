/** The public interface of the change feed. */
export { announceOnce, createChangeFeed, type NodeFeed } from './create-change-feed.ts';
