/** The public interface of the inbox. */
export { notifyPeople } from './notify-people.ts';
