/** The shapes and limits of references in texts. */
import { z } from 'zod';
import { requiredText, text, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_REFERENCES = 100;
/** Each is looked up in the repository's commits. */
export const MAX_COMMITS = 20;

export const ResolveReferencesInput = z.object({
  repositoryId: uuid()
    .optional()
    .describe('Where the text is: `#12` and commits are looked up there. Without it, they refer to nothing.'),
  references: z
    .array(requiredText({ max: 1200 }))
    .min(1)
    .max(MAX_REFERENCES)
    .describe('As written: `@ada`, `@ada@acme.com`, `@team`, `#12`, `acme/api#12`, or digits of a commit.'),
});
export const ResolvedReferences = z
  .object({
    references: z
      .array(
        z.object({
          reference: z.string(),
          kind: z.enum(['person', 'team', 'pull_request', 'commit']),
          id: z.string().describe('Of the person, team or pull request; of a commit its full ID.'),
          title: z.string().describe('The name or title.'),
          state: z.string().nullable().describe('Of a pull request.'),
          repositoryId: uuid().nullable(),
        }),
      )
      .describe('Without those that refer to nothing, or to something that you can’t see.'),
  })
  .meta({ id: 'ResolvedReferences' });

export const MAX_MENTIONABLE = 8;
export const FindMentionableInput = z.object({
  query: text({ max: 100 })
    .optional()
    .describe('The beginning of a name, of a word in it, or of an email address. Default: everyone.'),
  repositoryId: uuid().optional().describe('Only people who can see this repository.'),
});
export const Mentionable = z
  .object({
    candidates: z
      .array(
        z.object({
          kind: z.enum(['person', 'team']),
          id: uuid(),
          name: z.string(),
          handle: z
            .string()
            .describe('What mentions them, after the at sign: an email address where its name is not clear.'),
        }),
      )
      .describe(`Teams, then people by name, without you; at most ${MAX_MENTIONABLE}.`),
  })
  .meta({ id: 'Mentionable' });
