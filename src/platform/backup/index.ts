/** The public interface of backups. */
export { isStandardInput, STANDARD_INPUT, withBackupFile } from './backup-from-pipe.ts';
export { type BackupTotals, checkBackup, verifyBackup } from './read-backup.ts';
export { restoreBackup } from './restore-backup.ts';
export { type BackupSchedule, makeScheduledBackup } from './scheduled-backup.ts';
export { tryFolder } from './try-folder.ts';
export { writeBackup } from './write-backup.ts';
