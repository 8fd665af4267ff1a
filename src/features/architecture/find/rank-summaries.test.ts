/** The order of summaries: by how many keywords they have, how rare those are, and where they stand. */
import { describe, expect, it } from 'vitest';
import { DOMAINS } from '../contract.ts';
import { rankSummaries } from './rank-summaries.ts';

type Hit = [repository: number, domain: number, how?: 'main' | 'whole'];
type CodeHit = [repository: number, domain: number, weight: number];

/** Ranks four repositories; one list of hits for each keyword, which is one word. */
function rank(
  ofKeywords: Hit[][],
  options: { code?: CodeHit[][]; domains?: number[]; limit?: number } = {},
): string[] {
  const bit = (domain: number, how: Hit[2]) =>
    (1 << domain) |
    (how === 'main' ? 1 << (domain + DOMAINS.length) : 0) |
    (how === 'whole' ? 1 << (domain + 2 * DOMAINS.length) : 0);
  const hits = {
    searched: 4,
    repositories: 4,
    idOf: String,
    compare: (a: number, b: number) => a - b,
    ofWords: ofKeywords.map((each) => [
      Int32Array.from(each.flatMap(([repository, domain, how]) => [repository, bit(domain, how)])),
    ]),
    ofCode: ofKeywords.map((_, word) => {
      const pairs = (options.code?.[word] ?? []).flatMap(([repository, domain, weight]) => [
        repository,
        domain | (weight << 4),
      ]);
      return [{ first: 'a', last: 'a', pairs: Int32Array.from(pairs), isTooCommon: false }];
    }),
  };
  const alternatives = ofKeywords.map((_, word) => [[word]]);
  const { domains = [...DOMAINS.keys()], limit = 50 } = options;
  return rankSummaries(hits, { alternatives }, { domains, limit }).map(
    ({ domain, repository }) => `${repository}.${domain}`,
  );
}

describe('first come', () => {
  it.each<[string, Hit[][], string[]]>([
    [
      'more keywords, even before one in a name',
      [
        [
          [0, 0, 'whole'],
          [1, 0, 'main'],
        ],
        [[0, 0, 'whole']],
      ],
      ['0.0', '1.0'],
    ],
    [
      'rarer keywords',
      [
        [
          [0, 0],
          [2, 0],
          [3, 0],
        ],
        [[1, 0]],
      ],
      ['1.0', '0.0', '2.0', '3.0'],
    ],
    [
      'main words',
      [
        [
          [0, 0],
          [1, 0, 'main'],
        ],
      ],
      ['1.0', '0.0'],
    ],
    [
      'whole words',
      [
        [
          [0, 0],
          [1, 0, 'whole'],
        ],
      ],
      ['1.0', '0.0'],
    ],
    [
      'main words before whole words',
      [
        [
          [0, 0, 'whole'],
          [1, 0, 'main'],
        ],
      ],
      ['1.0', '0.0'],
    ],
    [
      'those of a repository with other keywords',
      [
        [
          [0, 0],
          [1, 0],
        ],
        [
          [1, 1],
          [2, 0],
        ],
      ],
      ['1.0', '1.1', '0.0', '2.0'],
    ],
  ])('%s', (_, hits, expected) => {
    expect(rank(hits)).toEqual(expected);
  });
});

it('puts a name that only one repository has in its code before a word that many have', () => {
  const everywhere = [0, 1, 2, 3].map((repository): CodeHit => [repository, 0, 40]);
  const rare: CodeHit[] = [[2, 1, 100]];
  expect(rank([[[0, 0, 'whole']], []], { code: [everywhere, rare] })[0]).toBe('2.1');
  expect(rank([[[0, 0, 'whole']], []], { code: [[], [[2, 1, 40]]] })[0]).toBe('0.0');
});

it('keeps equals in the order of repositories and domains, and only as many as wanted', () => {
  const hits: Hit[][] = [
    [
      [1, 2],
      [1, 0],
      [0, 5],
      [0, 3],
    ],
  ];
  expect(rank(hits)).toEqual(['0.3', '0.5', '1.0', '1.2']);
  expect(rank(hits, { limit: 3 })).toEqual(['0.3', '0.5', '1.0']);
});

it('counts only summaries of the wanted domains', () => {
  expect(
    rank(
      [
        [
          [0, 0],
          [0, 1, 'main'],
          [1, 1],
        ],
      ],
      { domains: [0] },
    ),
  ).toEqual(['0.0']);
});
