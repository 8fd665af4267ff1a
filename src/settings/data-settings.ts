/** How long things are kept, and backups. */
import { MIN_PASSPHRASE_CHARACTERS } from '../platform/core/ports/secret-box.ts';
import { InvalidSetting, integer, readPath, type Setting } from './setting.ts';

export const dataSettings = {
  SESSION_IDLE_DAYS: {
    default: '14',
    meaning: 'How many days a session in the browser lasts without use.',
    ...integer(1, 365),
  },
  SESSION_MAX_DAYS: {
    default: '90',
    meaning: 'How many days a session in the browser lasts at most.',
    ...integer(1, 3650),
  },
  EVENT_RETENTION_DAYS: {
    default: '0',
    meaning:
      'How many days the activity of plans and pull requests is kept, with the inbox items it caused; 0 keeps it forever. Texts, versions and reviews are kept.',
    ...integer(0, 36_500),
  },
  PLANNER_SESSION_RETENTION_DAYS: {
    default: '0',
    meaning:
      'How many days the reports of agents about their planning sessions are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  AUDIT_RETENTION_DAYS: {
    default: '0',
    meaning: 'How many days the audit log is kept; 0 keeps it forever.',
    ...integer(0, 36_500),
  },
  WEBHOOK_DELIVERY_RETENTION_DAYS: {
    default: '30',
    meaning: 'How many days deliveries of webhooks are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  MAIL_RETENTION_DAYS: {
    default: '30',
    meaning: 'How many days records of sent mails are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  BACKUP_DIR: {
    defaultNote: 'none: no scheduled backups',
    takes: 'a folder',
    meaning:
      'The folder for scheduled backups. Set it on one worker, or to a folder that all workers share: one of them makes each backup. See [operations.md](operations.md#backups).',
    read: readPath,
  },
  BACKUP_EVERY_HOURS: {
    default: '24',
    meaning: 'Time between two scheduled backups.',
    ...integer(1, 24 * 31),
  },
  BACKUP_KEEP: {
    default: '7',
    meaning: 'How many scheduled backups to keep. Older ones are deleted after a new one is complete.',
    ...integer(1, 10_000),
  },
  BACKUP_PASSPHRASE: {
    defaultNote: 'none',
    takes: `at least ${MIN_PASSPHRASE_CHARACTERS} characters`,
    meaning:
      'The passphrase that seals the secret file in backups. Without it, `countersign backup` asks for one, and scheduled backups leave the secret file out.',
    read: (text: string) => {
      if ([...text].length < MIN_PASSPHRASE_CHARACTERS)
        throw new InvalidSetting(`must have at least ${MIN_PASSPHRASE_CHARACTERS} characters`);
      return text;
    },
  },
  BACKUP_PASSPHRASE_FILE: {
    defaultNote: 'none',
    takes: 'a file',
    meaning: 'A file with the passphrase, in place of `BACKUP_PASSPHRASE`.',
    read: readPath,
  },
} satisfies Record<string, Setting<unknown>>;
