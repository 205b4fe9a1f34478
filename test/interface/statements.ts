// Every statement of the published interface, in its order and in its own words, with the tests that fail if the statement
// does not hold. A statement that is added to the interface, or changes there, changes here.
import type { Section } from './statement.ts';
import { accountManagement, uploadAccountSuggestions } from './statements/accounts.ts';
import { authenticationSection, errors, events, limits, versioning } from './statements/integration.ts';
import {
  account,
  dimension,
  document,
  otherResources,
  resourcesAndTheirFields,
  shipment,
  shipmentObject,
  whatTheServiceDoes,
} from './statements/resources.ts';
import {
  collectOnlyOperations,
  createLocalShipment,
  endpoints,
  flowSpecificOperations,
  shipmentCreation,
  shipmentManagement,
} from './statements/shipments.ts';
import { statesAndTransitions } from './statements/states.ts';

export const statements: readonly Section[] = [
  document,
  whatTheServiceDoes,
  resourcesAndTheirFields,
  shipment,
  dimension,
  shipmentObject,
  account,
  ...otherResources,
  statesAndTransitions,
  endpoints,
  shipmentCreation,
  createLocalShipment,
  flowSpecificOperations,
  ...collectOnlyOperations,
  shipmentManagement,
  accountManagement,
  uploadAccountSuggestions,
  authenticationSection,
  ...events,
  errors,
  limits,
  versioning,
];
