/** Tells kinds of YAML files apart, by path and text. */

export function isWorkflow(path: string): boolean {
  return /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]{1,200}\.ya?ml$|(?:^|\/)\.gitlab-ci[\w.-]{0,60}\.ya?ml$/.test(
    path,
  );
}

export function isCompose(path: string, text: string): boolean {
  return /(?:^|\/)(?:docker-)?compose[\w.-]{0,80}\.ya?ml$/i.test(path) && /^services:/m.test(text);
}
