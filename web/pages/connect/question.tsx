/** Asks whether an agent may have access: which agent, for whom, and what it can do; accidental clicks don't allow it. */
import { Link } from '@tanstack/react-router';
import { Bot, Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { EntryPage } from '../../components/entry-page.tsx';
import { Select } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { agentName } from '../../parts/agents/agent-name.ts';
import type { useAnswer } from './use-answer.ts';
import { useInFront } from './use-in-front.ts';
import { useOrganizations } from './use-organizations.ts';

type Request = CallOutput<'get-agent-sign-in'>;
type Agent = Request['agent'];

export const TITLE = 'An agent requests access';

export function Question(props: {
  signInId: string;
  request: Request;
  answer: ReturnType<typeof useAnswer>;
}) {
  const { answer, request, signInId } = props;
  const { agent, organization } = request;
  const scheme = schemeOf(agent);
  const session = useSession();
  const organizations = useOrganizations();
  const inFront = useInFront();
  const shown = { userId: session.user.id, organizationId: organization.id };
  const problem = answer.problem ?? organizations.problem;
  const waits = organizations.switching || answer.state !== 'open';
  return (
    <EntryPage title={TITLE}>
      <div className="grid gap-5">
        <div className="flex items-start gap-3">
          <span className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent">
            <Bot className="size-5" aria-hidden="true" />
          </span>
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">
              <bdi>{agentName(agent.name)}</bdi>
            </p>
            <p className="text-[0.8125rem] text-quiet">The name is self-reported and not verified.</p>
          </div>
        </div>
        <dl className="grid gap-3 border-y border-line py-4 text-sm">
          <Fact name="Returns to">
            {scheme && `The program that opens ${scheme}: links`}
            {!scheme && (agent.isLocal ? 'A program on this computer' : agent.returnsTo)}
            {agent.isLocal && <span className="block font-mono text-xs text-quiet">{agent.returnsTo}</span>}
          </Fact>
          {agent.address && <Fact name="Website">{agent.address}</Fact>}
          <Fact name="Acts as">
            <bdi>{session.user.name}</bdi>
            <span className="block text-[0.8125rem] text-quiet">
              {session.user.email} ·{' '}
              <Link
                to="/sign-in"
                search={{ next: `/connect/${encodeURIComponent(signInId)}` }}
                className="text-accent underline underline-offset-2"
              >
                Not you?
              </Link>
            </span>
          </Fact>
          <Fact name="Organization">
            {session.organizations.length > 1 ? (
              <Select
                aria-label="Organization"
                value={organization.id}
                disabled={waits}
                onChange={(event) => void organizations.switchTo(event.target.value)}
              >
                {session.organizations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            ) : (
              <bdi>{organization.name}</bdi>
            )}
          </Fact>
        </dl>
        <Rights />
        <Caution agent={agent} scheme={scheme} />
        {problem && <ProblemNotice problem={problem} />}
        <div className="grid gap-3">
          <div className="grid grid-cols-2 gap-2">
            <Button busy={answer.state === 'denying'} disabled={waits} onClick={() => void answer.deny()}>
              Deny
            </Button>
            <Button
              look="primary"
              busy={answer.state === 'allowing'}
              disabled={waits}
              aria-disabled={!inFront}
              onClick={() => inFront && void answer.allow(shown)}
            >
              Allow
            </Button>
          </div>
          <p className="text-[0.8125rem] text-quiet">
            You can revoke access at any time in Settings → Agents.
          </p>
        </div>
      </div>
    </EntryPage>
  );
}

/** The custom URL scheme of a program; undefined when the agent returns to a host. */
function schemeOf({ isLocal, returnsTo }: Agent): string | undefined {
  return isLocal ? /^[a-z][a-z\d+.-]*(?=:)/.exec(returnsTo)?.[0] : undefined;
}

function Caution({ agent, scheme }: { agent: Agent; scheme: string | undefined }) {
  if (scheme) {
    return (
      <Notice>
        <span className="wrap-anywhere">
          Your computer decides which program opens <b>{scheme}:</b> links. Allow access only if you just
          started this yourself in that program.
        </span>
      </Notice>
    );
  }
  if (agent.isLocal) {
    return <p className="text-sm text-pretty">Allow access only if you just started this yourself.</p>;
  }
  return (
    <Notice kind="warn">
      <span className="wrap-anywhere">
        This agent isn’t on your computer. Allow access only if you just started this yourself and trust{' '}
        <b>{agent.returnsTo}</b>.
      </span>
    </Notice>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_1fr] items-baseline gap-3">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

const MAY = [
  'Read and search the code you can read',
  'Read plans and comments',
  'Write plans and comments on your behalf',
];
const MAY_NOT = ['Approve plans', 'Manage people, keys or settings'];

function Rights() {
  return (
    <div className="grid gap-3 text-sm">
      <div className="grid gap-1.5">
        <h2 className="font-medium">Within your role, it can</h2>
        <ul className="grid gap-1">
          {MAY.map((right) => (
            <li key={right} className="flex gap-2">
              <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
              {right}
            </li>
          ))}
        </ul>
      </div>
      <div className="grid gap-1.5">
        <h2 className="font-medium">It can never</h2>
        <ul className="grid gap-1">
          {MAY_NOT.map((right) => (
            <li key={right} className="flex gap-2">
              <X className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
              {right}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
