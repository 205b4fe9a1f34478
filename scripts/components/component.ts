// What a component of a local installation is.

/** One event in one line, with its component and its level. */
export type Say = (component: string, words: string, level?: 'info' | 'warn' | 'error') => void;

export type Component = {
  readonly name: string;
  /** Every port that it will listen on, by the environment variable that sets it. */
  readonly ports: Readonly<Record<string, number>>;
  /** The file with all that it says. */
  readonly logFile?: string;
  /** `say` gets the output that a person should see while it runs. Called again after it has ended by itself. */
  start(say: Say): Promise<RunningComponent>;
};

export type RunningComponent = {
  /** Facts for a person, addresses first: printed on one line after its name. */
  readonly line: string;
  /** Resolves, with the reason, when it has ended without being asked to. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Ends it at once, as when the machine fails. */
  kill(): Promise<void>;
};
