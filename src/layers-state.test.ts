/** Modules keep no state: what a node keeps in memory is made by it and closed with it (`NodeState`), and the rest is in the database. */
import { expect, it } from 'vitest';
import { readFolder } from '../test/source-files.ts';

/** Something at the start of a line that can only be there to be filled or changed; `new Set([…])` is a table. */
const STATE =
  /^(?:export )?(?:let |const \w+(?:: [^=\n]+)? = (?:new (?:WeakMap|WeakSet|AsyncLocalStorage|WorkThread|Batch|GroupedWrites|SharedQueries|NodeState)\b|create(?:FairQueue|BoundedCache|SharedWork)\b|new (?:Map|Set)(?:<[^\n]*>)?\(\)|Array\.from\([^\n]*new |\[\];))/m;

/** The same within an object of the module or as a static field of a class; a function's own objects are indented further. */
const STATE_IN_OBJECT =
  /^(?:(?:export )?const \w+(?:: [^=\n]+)? = \{[^\n>]*| {2}(?:\w+: |(?:private |readonly )*static [^\n=]*= ))new (?:WeakMap|WeakSet|Map|Set)(?:<[^\n]*>)?\(\)/m;

/** Caches and counters of a process, marks on values, and settings that are the same for all nodes in it. */
const OF_A_PROCESS: Record<string, string> = {
  'src/engines/facts/extractors/code/class-annotations.ts': 'computed once for each file, and gone with it',
  'src/engines/facts/extractors/code/read-code.ts': 'computed once for each file, and gone with it',
  'src/engines/facts/extractors/events/index.ts': 'a table, filled when it is loaded',
  'src/engines/facts/open-commits.ts': 'the commits that the facts process has open',
  'src/engines/facts/parse.ts': 'the parser and its grammars take long to load',
  'src/engines/facts/read-uses.ts': 'compiled queries, one for each language',
  'src/engines/facts/store/extraction-version.ts': 'a checksum of the code, which does not change',
  'src/engines/facts/store/read-shard.ts': 'the names that were read last are often read again',
  'src/engines/facts/store/shard-set.ts': 'a buffer that is used again',
  'src/engines/git/remote/mirror-folder.ts': 'two nodes in one process must take turns in a folder too',
  'src/engines/git/run/git-environment.ts': 'a setting of the process',
  'src/engines/git/run/run-git.ts': 'children are ended with the process',
  'src/engines/review/code/file-facts.ts': 'a bounded cache of the review process',
  'src/engines/review/masking/find-tokens.ts': 'texts without tokens, whoever they belong to',
  'src/engines/search/build-index.ts': 'a cache of the index process',
  'src/engines/search/commits/object-batches.ts': 'a property of the installed git',
  'src/engines/search/commits/path-filter.ts': 'compiled globs, whoever asked for them',
  'src/engines/search/commits/repository-reader.ts': 'a number for each reader of the shared cache',
  'src/engines/search/scan/search-code.ts': 'the last pattern is often searched again',
  'src/engines/search/scan/search-each.ts': 'the last pattern is often searched again',
  'src/engines/search/shards/read-piece.ts': 'a buffer that is used again',
  'src/engines/search/shards/read-shard.ts': 'a bounded cache of the search process',
  'src/features/oauth/visit.ts': 'a key of asynchronous calls, which holds nothing itself',
  'src/platform/core/network/outgoing-network.ts': 'proxy and certificates are settings of the process',
  'src/platform/core/network/send-request.ts': 'connections through a proxy, one for each agent',
  'src/platform/core/operations/json-source.ts': 'a mark on shapes',
  'src/platform/core/operations/shapes.ts': 'marks on shapes',
  'src/platform/core/telemetry/log.ts': 'the last time that was written as text',
  'src/platform/core/telemetry/tracing.ts': 'traces of one process go to one collector',
  'src/platform/core/text/uuid.ts': 'identifiers of one process must not repeat',
  'src/platform/core/work/work.ts': 'a key of asynchronous calls, which holds nothing itself',
  'src/platform/db/embedded/data-folder.ts': 'locks that the process holds until it ends',
  'src/platform/db/preparing-client.ts': 'names of statements, the same on every connection',
};

it('keeps no state in modules, apart from what belongs to the whole process', () => {
  const found = readFolder('src').filter(({ code }) => STATE.test(code) || STATE_IN_OBJECT.test(code));
  expect(found.map(({ file }) => file).toSorted()).toEqual(Object.keys(OF_A_PROCESS).toSorted());
});
