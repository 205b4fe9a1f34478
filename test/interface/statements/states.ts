// What the interface states of a shipment's states, and of the rules that involve them.
import { leftOpen, section, shown, testsOf } from '../statement.ts';

const flows = testsOf('interface/flows.test.ts');
const shipments = testsOf('interface/shipments.test.ts');
const states = testsOf('service/shipments/states.test.ts');
const chains = testsOf('service/shipments/chains.test.ts');
const unlocking = testsOf('service/lockers/unlock-shipment-locker.test.ts');
const leftItems = testsOf('service/lockers/left-items.test.ts');

const inEachState = shipments(
  'a locker unlocks without a goal in the state %s, and for a goal only in the state of that goal',
);

export const statesAndTransitions = section(
  'States and transitions',
  shown(
    'State codes that occur: WaitForReceiver (in the callback message) and ReadyForPickup (ready for pick up).',
    flows('with IsReceiverDelayed the receiver is set later'),
  ),
  shown(
    'A shipment can also be ready for drop off.',
    states('a shipment begins ready for drop off; a successor registered; a collect-only ready for pick up'),
  ),
  leftOpen('Complete list of states: not shown.', 'States'),
  leftOpen('Transitions: not shown.', 'States'),
  shown(
    'SetShipmentReceiver (set) | Shipment has no receiver and is not in ReadyForPickup | Receiver is set',
    states(
      'a receiver set while registered or ready for drop off changes no state and is not told',
      'a receiver set while the item waits makes it ready for pick up',
    ),
  ),
  shown(
    'SetShipmentReceiver (set) | Otherwise | Fails with InvalidShipmentState',
    states(
      'SetShipmentReceiver refuses %s',
      'SetShipmentReceiver refuses to set a receiver of circular stock that is ready for pick up',
    ),
  ),
  shown(
    'SetShipmentReceiver with removeReceiver true | Shipment has a receiver and is not in ReadyForPickup | Receiver ' +
      'removed; toUserUid ignored',
    states(
      'a receiver is removed while registered or ready for drop off, toUserUid ignored',
      'SetShipmentReceiver refuses %s',
    ),
  ),
  shown(
    'Intake shipment of a circular pair: original item dropped off | Circular stock shipment references it as prior | ' +
      'The second shipment becomes ready for pick up',
    flows(
      'CreateLocalShipmentAsIntakeAndCircularStock creates an intake, and stock that is ready once it is dropped off',
    ),
  ),
  shown(
    'Pick up of a swapped shipment | New shipment was created with SwapsShipmentUid | A drop-off for the new shipment ' +
      'is assumed at the same time',
    flows('SwapsShipmentUid chains a swap: one code for the pick-up and the drop-off, which happen at once'),
    chains('a successor may have a successor itself, and a chain may be extended again and again'),
  ),
  shown(
    'CancelShipment | Shipment registered | Shipment cancelled; booked lockers released',
    shipments('CancelShipment ends a shipment and releases its locker, which can be booked again'),
    states('cancelling takes along the successors still registered, and theirs, told in chain order'),
  ),
  shown(
    'SimulateLockerAccess (staging only) | Valid pin code on a locker | Shipment advances to its next state',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
    testsOf('service/shipments/access-codes.test.ts')(
      'a code opens neither another locker nor the same locker name at another pick up point',
    ),
  ),
  shown(
    'UnlockShipmentLocker | unlockGoal DropOff | Unlocks only when the shipment is ready for drop off',
    inEachState,
    unlocking('a goal against another active state is not allowed, and no door opens'),
  ),
  shown(
    'UnlockShipmentLocker | unlockGoal PickUp | Unlocks only when the shipment is ready for pick up',
    inEachState,
    unlocking('a goal against another active state is not allowed, and no door opens'),
  ),
  shown(
    'UnlockShipmentLocker | unlockGoal absent or null | Unlocks regardless of state',
    inEachState,
    unlocking('without a goal the door opens in any active state and the shipment does not advance'),
    leftItems('the locker of a cancelled %s opens without a goal and stays to be emptied; PickUp empties it'),
  ),
  shown(
    'Any change of stateCode | | ShipmentStatusUpdate callback is sent',
    flows(
      'with IsReceiverDelayed the receiver is set later',
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock issues the stock, and creates an intake ' +
        'after it and circular stock after that',
    ),
    flows('%s %o with KeepBookedAfterPickUp keeps its locker after each collection by %s'),
  ),
);
