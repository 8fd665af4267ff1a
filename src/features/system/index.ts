/** The public interface of the state of the installation. */
export { selectDatabaseState, selectFailingHosts, selectLatestBackup, selectQueues } from './system-store.ts';
