/** Roles by group as text, one per line: `engineering = member`. */
import type { CallInput } from '../../api/client.ts';
import { ApiProblem } from '../../api/client.ts';
import { linesOf } from '../../components/line-list.ts';

type RoleRule = CallInput<'change-single-sign-on'>['roleRules'][number];

const ROLES = ['viewer', 'member', 'admin'] as const;

export function writeRoleRules(rules: readonly RoleRule[]): string {
  return rules.map(({ role, value }) => `${value} = ${role}`).join('\n');
}

/** The role is after the last `=`, because groups may contain one. */
export function readRoleRules(text: string): RoleRule[] {
  return linesOf(text).map((line) => {
    const at = line.lastIndexOf('=');
    const value = line.slice(0, at).trim();
    const role = ROLES.find(
      (each) =>
        each ===
        line
          .slice(at + 1)
          .trim()
          .toLowerCase(),
    );
    if (at < 1 || value === '' || !role) {
      const message = `write each line as “group = member”, with viewer, member or admin: ${line}`;
      throw new ApiProblem(400, { errors: [{ path: 'roleRules', message }] }, undefined);
    }
    return { value, role };
  });
}
