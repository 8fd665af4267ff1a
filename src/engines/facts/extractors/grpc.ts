/** Clients and servers of gRPC services, by the names that the generators give them. */
import type { FileSource } from '../extractor.ts';
import type { FactList } from './fact-list.ts';
import { isGeneratedCode } from './generated-code.ts';
import { LineCounter } from './line-counter.ts';

interface Rule {
  /** The text must contain it. */
  word: string;
  pattern: RegExp;
  role: 'provides' | 'uses';
}

const SERVICE = '([A-Z]\\w{1,100}?)';

const RULES: Record<string, Rule[]> = {
  go: [
    { word: 'Client(', pattern: new RegExp(`\\b\\w{1,60}\\.New${SERVICE}Client\\(`, 'g'), role: 'uses' },
    {
      word: 'Register',
      pattern: new RegExp(`\\b\\w{1,60}\\.Register${SERVICE}Server\\(`, 'g'),
      role: 'provides',
    },
  ],
  java: [
    {
      word: 'Grpc.new',
      pattern: new RegExp(`\\b${SERVICE}Grpc\\.new(?:Blocking|Future)?(?:V2)?Stub\\(`, 'g'),
      role: 'uses',
    },
    {
      word: 'ImplBase',
      pattern: new RegExp(
        `\\bextends\\s{1,4}(?:[\\w.]{1,100}\\.)?${SERVICE}Grpc\\.\\w{1,100}ImplBase\\b`,
        'g',
      ),
      role: 'provides',
    },
  ],
  kotlin: [
    {
      word: 'CoroutineStub',
      pattern: new RegExp(`\\b${SERVICE}GrpcKt\\.\\w{1,100}CoroutineStub\\(`, 'g'),
      role: 'uses',
    },
    {
      word: 'CoroutineImplBase',
      pattern: new RegExp(`\\b${SERVICE}GrpcKt\\.\\w{1,100}CoroutineImplBase\\(`, 'g'),
      role: 'provides',
    },
  ],
  python: [
    { word: 'Stub(', pattern: new RegExp(`\\b\\w{1,80}_pb2_grpc\\.${SERVICE}Stub\\(`, 'g'), role: 'uses' },
    {
      word: 'Servicer_to_server',
      pattern: new RegExp(`\\badd_${SERVICE}Servicer_to_server\\(`, 'g'),
      role: 'provides',
    },
  ],
  csharp: [
    { word: 'Client', pattern: new RegExp(`\\b${SERVICE}\\.\\1Client\\b`, 'g'), role: 'uses' },
    {
      word: 'Base',
      pattern: new RegExp(`:\\s{0,4}(?:[\\w.]{1,100}\\.)?${SERVICE}\\.\\1Base\\b`, 'g'),
      role: 'provides',
    },
  ],
  javascript: [
    {
      word: 'addService',
      pattern: new RegExp(`\\.addService\\(\\s{0,40}[\\w.]{0,100}?${SERVICE}\\.service\\b`, 'g'),
      role: 'provides',
    },
    {
      word: 'redentials.',
      pattern: new RegExp(
        `\\bnew\\s{1,4}(?:\\w{1,60}\\.){0,4}${SERVICE}(?:Client)?\\([^()]{0,200},\\s{0,40}(?:\\w{0,40}\\.)?(?:c|\\w{0,20}C)redentials\\.`,
        'g',
      ),
      role: 'uses',
    },
  ],
  cpp: [
    { word: '::NewStub', pattern: new RegExp(`\\b${SERVICE}::NewStub\\(`, 'g'), role: 'uses' },
    {
      word: '::Service',
      pattern: new RegExp(
        `\\bpublic\\s{1,4}(?:\\w{1,60}::){0,6}${SERVICE}::(?:Async|Callback)?Service\\b`,
        'g',
      ),
      role: 'provides',
    },
  ],
};
RULES.typescript = RULES.javascript!;

export function readGrpc(file: FileSource, facts: FactList): void {
  const rules = (RULES[file.language ?? ''] ?? []).filter(({ word }) => file.text.includes(word));
  if (rules.length === 0 || !isGrpc(file) || isGeneratedCode(file)) return;
  const lines = new LineCounter(file.text);
  const found = rules.flatMap(({ pattern, role }) =>
    [...file.text.matchAll(pattern)].map(({ 1: service, index }) => ({ service, role, index })),
  );
  for (const { index, role, service } of found.sort((one, other) => one.index - other.index)) {
    const { before, line } = lines.at(index);
    if (/^\s{0,80}(?:\/\/|#|\*)/.test(before)) continue;
    facts.add({ kind: 'contract', role, name: `proto:${service}`, line, detail: 'grpc' });
  }
}

/** `NewOrderClient` is also a good name for something else: the file must import gRPC or generated code. */
function isGrpc(file: FileSource): boolean {
  if (file.language === 'csharp') return /\bGrpc\b/.test(file.text);
  if (file.language === 'go') {
    return file.imports.some(({ module }) =>
      /google\.golang\.org\/grpc|(?:^|\/)(?:\w*pb|\w*proto|genproto|gen)(?:\/|$)/.test(module),
    );
  }
  return /grpc/i.test(file.text);
}
