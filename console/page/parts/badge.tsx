// A state in a word or two, with the colour and the shape that it has everywhere: in list, case and wall.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** Each has one meaning: it does not work, a moment has passed, promised, an item is in it, past, does not answer, asked and answered. */
export type State = 'fault' | 'late' | 'booked' | 'inside' | 'over' | 'offline' | 'verified';

/** Never colour alone. What is over or plain has its word only. */
const icons: Readonly<Partial<Record<State, IconName>>> = {
  fault: 'warning',
  late: 'clock',
  booked: 'empty',
  inside: 'inside',
  offline: 'offline',
  verified: 'tick',
};

export const iconOf = (state: State | undefined): IconName | undefined => state && icons[state];

interface BadgeProps {
  /** Undefined: it is none that somebody must look out for. */
  readonly state?: State | undefined;
  readonly icon?: IconName | undefined;
  readonly children: ComponentChildren;
}

export function Badge({ state, icon = iconOf(state), children }: BadgeProps) {
  return (
    <span class={state ? `badge is-${state}` : 'badge'}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </span>
  );
}
