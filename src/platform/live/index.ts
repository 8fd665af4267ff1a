/** The change feed's door. */
export { announceOnce, createChangeFeed, type NodeFeed } from './create-change-feed.ts';
