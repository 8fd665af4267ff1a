/** The process that reads and searches all code on this node, on request of the service. */
import { lowerPriority } from '../../platform/core/work/lower-priority.ts';
import { serveRequests } from '../processes/index.ts';
import { changedFiles } from './commits/changed-files.ts';
import { comparisons, mergeInto } from './commits/compare-commits.ts';
import { findFiles } from './commits/find-files.ts';
import { createLastCommits } from './commits/last-commits.ts';
import { nearPaths } from './commits/near-paths.ts';
import { blameLines, fileHistory, findCommits } from './commits/read-history.ts';
import { readImage } from './commits/read-image.ts';
import { listTree, readFile, readTexts } from './commits/read-tree-path.ts';
import type { RepositoryFolders, SearchRequests } from './messages.ts';
import { openReaders } from './open-readers.ts';
import { reasonOfFailure } from './reason-of-failure.ts';
import { searchCode } from './scan/search-code.ts';
import { searchEach } from './scan/search-each.ts';

/** Their tables are in memory: about 1 MB for a repository of 10 MB. A search of everything opens them all. */
const MAX_OPEN = 500;
/** Lower priority than the service, so that it stays responsive during searches. */
const PRIORITY = 5;

lowerPriority(PRIORITY);

const { forget, of: readerOf } = openReaders(MAX_OPEN);
const lastCommits = createLastCommits();

serveRequests<SearchRequests, RepositoryFolders>(
  {
    async findCommit(folders, { digits }) {
      const found = await readerOf(folders).findCommit(digits);
      if (found === 'missing') return { kind: 'none' };
      return found === 'ambiguous' ? { kind: 'ambiguous' } : { kind: 'found', commit: found.commit };
    },
    findFiles: async (folders, params) => findFiles(readerOf(folders), params),
    nearPaths: async (folders, params) => nearPaths(readerOf(folders), params),
    searchCode: async (folders, params, call) => searchCode(readerOf(folders), params, call),
    searchEach: (_, params, call) => searchEach(readerOf, params, call),
    listTree: async (folders, params) => listTree(readerOf(folders), params),
    readFile: async (folders, params) => readFile(readerOf(folders), params),
    readImage: async (folders, params) => readImage(readerOf(folders), params),
    readTexts: async (folders, params) => readTexts(readerOf(folders), params),
    blameLines: async (folders, params, call) => blameLines(readerOf(folders), params, call),
    fileHistory: async (folders, params, call) => fileHistory(readerOf(folders), params, call),
    lastCommits: async (folders, params, call) => lastCommits.read(readerOf(folders), params, call),
    searchCommits: async (folders, params, call) => findCommits(readerOf(folders), params, call),
    mergeBase: async (folders, params, call) => comparisons.mergeBase(readerOf(folders), params, call),
    isAncestor: async (folders, params, call) => comparisons.isAncestor(readerOf(folders), params, call),
    listCommits: async (folders, params, call) => comparisons.listCommits(readerOf(folders), params, call),
    findCommitBy: async (folders, params, call) => comparisons.findCommitBy(readerOf(folders), params, call),
    hasMerges: async (folders, params, call) => comparisons.hasMerges(readerOf(folders), params, call),
    listAuthors: async (folders, params, call) => comparisons.listAuthors(readerOf(folders), params, call),
    listChanges: async (folders, params, call) => comparisons.listChanges(readerOf(folders), params, call),
    fileDiff: async (folders, params, call) => comparisons.fileDiff(readerOf(folders), params, call),
    hunks: async (folders, params, call) => comparisons.hunks(readerOf(folders), params, call),
    rangeDiff: async (folders, params, call) => comparisons.rangeDiff(readerOf(folders), params, call),
    isSameChange: async (folders, params, call) => comparisons.isSameChange(readerOf(folders), params, call),
    findMerge: async (folders, params, call) => comparisons.findMerge(readerOf(folders), params, call),
    mergeTrees: async (folders, params, call) => mergeInto(readerOf(folders), params, call),
    changedFiles: async (folders, params) => changedFiles(readerOf(folders), params),
    async forget(folders) {
      forget(folders.gitDir);
      return null;
    },
  },
  reasonOfFailure,
);
