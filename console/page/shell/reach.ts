// What the workers deliver outside, as the server says it with who is signed in: what has no connector is not shown.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Reach } from '../../sign-in/sign-in-view.ts';

export const ReachContext = createContext<Reach>({ message: false, sendMechanic: false });

export const useReach = (): Reach => useContext(ReachContext);
