/** The public interface of shards: immutable files of a folder with a checksum each, read together; the index and facts are kept in them. */
export { followFolder } from './follow-folder.ts';
export { createKeyTable, type KeyTable } from './key-table.ts';
export { isLeftBehind, listShards, openShards } from './open-shards.ts';
export { checksumOf, openFiles, readAt, readInto, readStart, readTables } from './read-file.ts';
export { newShardName, syncFolder, writeSynced, writeWhole } from './write-file.ts';
