/** Merge rules, evaluated for any history of verdicts and pushes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TERMS, type MergeRuleTerms } from './choose-rule.ts';
import { evaluateRequirements, isMet, type MergeFacts, type StatusFact } from './evaluate-requirements.ts';
import type { VerdictFact } from './standing-verdicts.ts';

const FACTS: MergeFacts = {
  state: 'open',
  headCommit: 'h1',
  baseBranch: 'main',
  authorId: 'author',
  mergeability: 'clean',
  verdicts: [],
  onlyPersonId: null,
  ownWorkIds: new Set(['author']),
  reviewersLeft: 3,
  unresolvedDiscussions: 0,
  plans: [],
  statuses: [],
  owners: null,
  merger: { userId: 'ann', role: 'member' },
  people: new Map([
    ['ann', 'Ann'],
    ['bo', 'Bo'],
  ]),
};

const verdict = (person: string, changes: Partial<VerdictFact> = {}): VerdictFact => ({
  person,
  userId: person,
  name: person,
  isBot: false,
  isReviewer: true,
  verdict: 'approved',
  isDismissed: false,
  commit: 'h1',
  keptForHead: null,
  baseBranch: 'main',
  ownWork: 'no',
  ...changes,
});

const evaluate = (terms: Partial<MergeRuleTerms>, facts: Partial<MergeFacts> = {}) =>
  evaluateRequirements({ ...DEFAULT_TERMS, ...terms }, { ...FACTS, ...facts });
const missing = (terms: Partial<MergeRuleTerms>, facts: Partial<MergeFacts> = {}) =>
  evaluate(terms, facts).flatMap((each) => (each.isMet ? [] : [each.kind]));
const titles = (terms: Partial<MergeRuleTerms>, facts: Partial<MergeFacts>) =>
  evaluate(terms, facts).flatMap(({ detail, isMet: holds, title }) =>
    holds ? [] : [detail ? `${title}. ${detail}` : title],
  );

describe('approvals', () => {
  it('are one of the present head, by a second person', () => {
    expect(missing({})).toEqual(['approvals']);
    const met = { isMet: true, detail: null, people: [], teams: [] };
    expect(evaluate({}, { verdicts: [verdict('ann')] })).toEqual([
      { ...met, kind: 'approvals', title: 'Approved by ann' },
      { ...met, kind: 'changes_requested', title: 'No changes requested' },
      { ...met, kind: 'mergeability', title: 'No conflicts with the base branch' },
      { ...met, kind: 'who_may_merge', title: 'You can merge this' },
    ]);
  });

  it.each<[string, Partial<VerdictFact>]>([
    ['of an earlier head', { commit: 'h0' }],
    ['of a commit that nobody knows', { commit: null }],
    ['for another base branch', { baseBranch: 'old' }],
    ['by a robot', { isBot: true }],
    ['by the service', { userId: null, isReviewer: null }],
    ['on a code host', { userId: null }],
    ['that was dismissed', { isDismissed: true }],
    ['of own work, by a switch', { ownWork: 'self_approval' }],
    ['of own work, by the only person, without a rule that allows it', { ownWork: 'only_person' }],
    ['of whose work nothing is known', { ownWork: null }],
    ['by the author, who was linked later', { person: 'author', userId: 'author' }],
    ['by a person who left', { isReviewer: false }],
    ['kept for the head, without a rule that allows it', { commit: 'h0', keptForHead: 'h1' }],
  ])('don’t count: %s', (_, changes) => {
    expect(missing({}, { verdicts: [verdict('ann', changes)] })).toEqual(['approvals']);
  });

  it('count after a push if the patch is the same and the rule allows it', () => {
    const kept = [verdict('ann', { commit: 'h0', keptForHead: 'h1' })];
    expect(missing({ keepApprovals: true }, { verdicts: kept })).toEqual([]);
    expect(missing({ keepApprovals: true }, { verdicts: kept, headCommit: 'h2' })).toEqual(['approvals']);
  });

  it('of the only person say so, and count only as long as there is one', () => {
    const own = [verdict('author', { ownWork: 'only_person' })];
    const alone = { verdicts: own, onlyPersonId: 'author' };
    expect(evaluate({ allowOnlyPerson: true }, alone)[0]).toMatchObject({
      isMet: true,
      title: 'Approved by author, the only active person, to their own work',
    });
    expect(missing({ allowOnlyPerson: true }, { verdicts: own })).toEqual(['approvals']);
    expect(missing({}, alone)).toEqual(['approvals']);
  });
});

const PEOPLE = ['author', 'ann', 'bo', 'cy'];
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('approve', 'request', 'approve_on_host', 'dismiss', 'leave', 'retarget'),
    person: fc.constantFrom(...PEOPLE),
    own: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('push', 'robot'), person: fc.constant('robot'), own: fc.constant(false) }),
);

it('keeps what it promises after any verdicts, dismissals, pushes and changes of the base', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 2 }), (steps, approvals) => {
      let verdicts: VerdictFact[] = [];
      let [head, base] = [1, 1];
      const left = new Set<string>();
      for (const { do: what, own, person } of steps) {
        const at = { commit: `h${head}`, baseBranch: `b${base}` };
        if (what === 'push') head += 1;
        else if (what === 'retarget') base += 1;
        else if (what === 'leave') left.add(person);
        else if (what === 'robot') verdicts.push(verdict('robot', { ...at, userId: null, isBot: true }));
        else if (what === 'approve')
          verdicts.push(verdict(person, { ...at, ownWork: own ? 'self_approval' : 'no' }));
        else if (what === 'request') verdicts.push(verdict(person, { ...at, verdict: 'changes_requested' }));
        else if (what === 'approve_on_host') verdicts.push(verdict(person, { ...at, userId: null }));
        else {
          const last = verdicts.findLast((each) => each.person === person && !each.isDismissed);
          verdicts = verdicts.map((each) => (each === last ? { ...each, isDismissed: true } : each));
        }
      }
      verdicts = verdicts.map((each) => ({ ...each, isReviewer: !left.has(each.person) }));
      const facts = { headCommit: `h${head}`, baseBranch: `b${base}`, verdicts };
      const unmet = missing({ approvals }, facts);
      // Told from the whole history of each person, not step by step.
      const newestOf = (person: string, isLeftOut: (each: VerdictFact) => boolean) =>
        verdicts.findLast((each) => each.person === person && !isLeftOut(each));
      const approvers = PEOPLE.filter((person) => {
        const newest = newestOf(person, ({ userId }) => userId === null);
        const isForThis = newest?.commit === `h${head}` && newest.baseBranch === `b${base}`;
        const isOwn = person === 'author' || newest?.ownWork !== 'no';
        return (
          isForThis && !isOwn && !newest.isDismissed && newest.verdict === 'approved' && !left.has(person)
        );
      });
      const requesters = PEOPLE.filter((person) => {
        const newest = newestOf(
          person,
          ({ isDismissed, userId, verdict: given }) => isDismissed && given === 'approved' && userId === null,
        );
        return newest?.verdict === 'changes_requested' && !newest.isDismissed && !left.has(person);
      });
      expect(unmet.includes('approvals')).toBe(approvers.length < approvals);
      expect(unmet.includes('changes_requested')).toBe(requesters.length > 0);
    }),
    { numRuns: 2000 },
  );
});

describe('other requirements', () => {
  it('a request for changes holds until the person approves, is only theirs to take back, and ends when they leave', () => {
    const request = verdict('bo', { verdict: 'changes_requested' });
    const both = [verdict('ann'), request];
    expect(titles({}, { verdicts: both })).toEqual([
      'bo requested changes. It stands until they approve; if they have written some of it since, until they comment.',
    ]);
    expect(missing({}, { verdicts: [...both, verdict('bo', { userId: null })] })).toEqual([]);
    expect(missing({}, { verdicts: [verdict('ann'), { ...request, isReviewer: false }] })).toEqual([]);
    const stranger = { ...request, userId: null, isReviewer: null };
    expect(missing({}, { verdicts: [verdict('ann'), stranger] })).toEqual(['changes_requested']);
  });

  it('a status counts if everybody who set it may, is no agent, and says success', () => {
    const terms = { approvals: 0, statuses: [{ name: 'ci', userIds: ['ann'], hostAccounts: ['Actions'] }] };
    const ci = (changes: Partial<StatusFact> = {}): StatusFact => ({
      ...{ name: 'ci', state: 'success', userId: 'ann', hostAccount: null, isByAgent: false },
      ...changes,
    });
    const titlesWith = (...statuses: StatusFact[]) => titles(terms, { statuses });
    expect(titlesWith()).toEqual(['ci is not set yet. Only Ann and Actions can set it.']);
    expect(titlesWith(ci())).toEqual([]);
    expect(titlesWith(ci({ userId: null, hostAccount: 'actions' }))).toEqual([]);
    expect(titlesWith(ci({ state: 'pending' }))).toEqual(['ci is pending']);
    expect(titlesWith(ci({ state: 'error' }))).toEqual(['ci failed']);
    const refused = 'ci was set by someone who may not set it. Only Ann and Actions can set it.';
    expect(titlesWith(ci({ isByAgent: true }))).toEqual([refused]);
    expect(titlesWith(ci({ userId: 'bo' }))).toEqual([refused]);
    expect(titlesWith(ci({ name: 'CI' }))).toEqual(['ci is not set yet. Only Ann and Actions can set it.']);
    const gone = { approvals: 0, statuses: [{ name: 'ci', userIds: ['zed'], hostAccounts: [] }] };
    expect(titles(gone, {})).toEqual([
      'ci is not set yet. Nobody can set it any more: change the merge rule.',
    ]);
  });

  it.each<[Partial<MergeRuleTerms>, Partial<MergeFacts>, string[]]>([
    [{ resolvedDiscussions: true }, {}, []],
    [{ resolvedDiscussions: true }, { unresolvedDiscussions: 2 }, ['discussions']],
    [{}, { unresolvedDiscussions: 2 }, []],
    [{ approvedPlan: true }, {}, ['plan']],
    [{ approvedPlan: true }, { plans: [{ title: 'A', isApproved: true }] }, []],
    [
      { approvedPlan: true },
      {
        plans: [
          { title: 'A', isApproved: true },
          { title: 'B', isApproved: false },
        ],
      },
      ['plan'],
    ],
    [{}, { state: 'draft' }, ['draft']],
    [{}, { mergeability: 'checking' }, ['mergeability']],
    [{}, { mergeability: 'conflicts' }, ['mergeability']],
    [{}, { mergeability: 'unknown' }, ['mergeability']],
    // A code host decides about drafts and conflicts.
    [{}, { mergeability: undefined, state: 'draft' }, []],
    [{ mergeRole: 'admin' }, {}, ['who_may_merge']],
    [{ mergeRole: 'admin' }, { merger: { userId: 'ann', role: 'owner' } }, []],
    [{ mergeRole: 'admin', mergeUserIds: ['ann'] }, {}, []],
    [
      { mergeRole: null, mergeUserIds: ['bo'] },
      { merger: { userId: 'ann', role: 'owner' } },
      ['who_may_merge'],
    ],
    [{ mergeUserIds: ['ann'] }, { merger: { userId: 'ann', role: 'viewer' } }, ['who_may_merge']],
    [{ mergeRole: 'owner' }, { merger: null }, []],
  ])('%j with %j misses %j', (terms, facts, kinds) => {
    expect(missing({ approvals: 0, ...terms }, facts)).toEqual(kinds);
  });

  it('owners of every path have to approve, for these commits, by a file that can be read', () => {
    const owned = (pattern: string, ...memberIds: string[]) => ({
      ...{ section: null, line: 1, pattern, required: 1, paths: [pattern] },
      owners: [
        { written: pattern, kind: 'person' as const, id: memberIds[0] ?? null, name: pattern, memberIds },
      ],
    });
    const owners = { isCurrent: true, file: 'CODEOWNERS', owned: [owned('src/', 'ann')], problems: [] };
    const terms = { approvals: 0, owners: true };
    const lacking = (facts: Partial<MergeFacts>) => missing(terms, { owners, ...facts });
    expect(lacking({})).toEqual(['owners']);
    expect(lacking({ verdicts: [verdict('bo')] })).toEqual(['owners']);
    expect(lacking({ verdicts: [verdict('ann', { ownWork: 'self_approval' })] })).toEqual(['owners']);
    const verdicts = [verdict('ann')];
    expect(lacking({ verdicts })).toEqual([]);
    expect(lacking({ verdicts, owners: null })).toEqual(['owners']);
    expect(lacking({ verdicts, owners: { ...owners, isCurrent: false } })).toEqual(['owners']);
    expect(lacking({ verdicts, owners: { ...owners, problems: [{ line: 3, reason: 'x' }] } })).toEqual([
      'owners',
    ]);
    // Whoever reads it learns how a correction can be merged.
    for (const [mergeability, way] of [
      ['clean', 'an admin can bypass the rule'],
      [undefined, 'whoever may merge without this check on the code host'],
    ] as const)
      expect(
        evaluate(
          { owners: true },
          { mergeability, owners: { ...owners, problems: [{ line: 3, reason: 'x' }] } },
        ).find(({ kind }) => kind === 'owners')?.detail,
      ).toMatch(new RegExp(`^x\\. The file counts as it is in the base branch, .* ${way}`));
    expect(lacking({ verdicts, owners: { ...owners, owned: [...owners.owned, owned('docs/')] } })).toEqual([
      'owners',
    ]);
  });

  it('names only owners whose approval would count, and says what to do when none is left', () => {
    const person = (id: string) => ({
      ...{ written: id, kind: 'person' as const, id, name: id, memberIds: [id] },
    });
    const core = {
      ...{ written: 'core', kind: 'team' as const, id: 'core', name: 'core', memberIds: ['ann', 'bo'] },
    };
    const owned = (pattern: string, ...by: (typeof core | ReturnType<typeof person>)[]) => ({
      ...{ section: null, line: 1, pattern, required: 1, paths: [pattern], owners: by },
    });
    const lacking = (written: string[], ...paths: ReturnType<typeof owned>[]) => {
      const owners = { isCurrent: true, file: 'CODEOWNERS', owned: paths, problems: [] };
      const facts = { owners, ownWorkIds: new Set(['author', ...written]) };
      return evaluate({ approvals: 0, owners: true }, facts).find(({ kind }) => kind === 'owners')!;
    };
    const src = owned('src/', person('author'), person('ann'), core);
    expect(lacking([], src)).toMatchObject({
      ...{ title: 'An owner of src/ has to approve', detail: 'ann or core can approve.' },
      ...{ people: [{ id: 'ann' }], teams: [{ id: 'core' }] },
    });
    // Ann applied a suggestion; Bo of the team is left.
    expect(lacking(['ann'], src)).toMatchObject({ detail: 'core can approve.', people: [] });
    expect(lacking(['ann'], src, owned('docs/', person('bo'))).detail).toBe(
      'src/: core can approve. docs/: bo can approve.',
    );
    expect(lacking(['ann', 'bo'], src)).toMatchObject({
      title: 'No other owner of src/ can approve',
      detail:
        'author, ann and core opened, wrote, committed or pushed some of it. CODEOWNERS in the base branch has to name someone else, or an admin bypasses the rule, with a reason.',
      people: [],
      teams: [],
    });
  });

  it('says when nobody is left whose approval would count', () => {
    const detail = (reviewersLeft: number, terms: Partial<MergeRuleTerms> = {}) =>
      evaluate(terms, { reviewersLeft })[0]!.detail;
    expect(detail(1)).toBe('From someone who didn’t open, write, commit or push any of it.');
    expect(detail(0)).toBe(
      'Everyone who could approve this opened, wrote, committed or pushed some of it. Give someone else access as a member, or an admin bypasses the rule, with a reason.',
    );
    expect(detail(1, { approvals: 2 })).toMatch(/^Only 1 person could approve this: everyone else opened,/);
  });

  it('says who can merge', () => {
    const [only] = evaluate({ approvals: 0, mergeRole: 'owner', mergeUserIds: ['bo'] }).filter(
      (one) => !one.isMet,
    );
    expect([only!.detail, only!.people]).toEqual(['Owners and Bo can.', [{ id: 'bo', name: 'Bo' }]]);
    expect(isMet(evaluate({ approvals: 0 }))).toBe(true);
  });
});
