/** The change feed's door. */
export { createChangeFeed, type NodeFeed } from './create-change-feed.ts';
