/** Positions: following a place in a file from one commit to another. */
export { type Place, type PortedPlace, type PositionOutcome, portPlaces } from './port-places.ts';
