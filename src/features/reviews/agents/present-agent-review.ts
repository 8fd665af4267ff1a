/** Findings of agents as the API shows them. */
import type { JudgedFinding } from '../runs/answer-report.ts';

export function presentAgentFinding(id: string, candidate: JudgedFinding) {
  const { check, claim, evidence, file, line, quote, scenario, side, subject, title } = candidate;
  return {
    ...{ id, check, claim, file, line, quote, scenario, side, subject, title },
    evidence: evidence.map((place) => ({
      ...{ path: place.path, line: place.line, quote: place.quote },
      repository: place.repository ? { name: place.repository.name, commit: place.repository.commit } : null,
    })),
    proof: candidate.proof ?? ('proven' as const),
  };
}
