/** The keyboard while a turn runs: Ctrl-C is heard, what else is typed is dropped. */
export interface TurnKeys {
  /** Leaves the keyboard to a question, until it is answered. */
  lend<T>(act: () => Promise<T>): Promise<T>;
  close(): void;
}

const CTRL_C = "\u0003";

/** Takes the keyboard. In raw mode Ctrl-C is a key and no signal, so that children don't get it, too. */
export function turnKeys(stdin: NodeJS.ReadStream, onInterrupt: () => void): TurnKeys {
  const onData = (data: Buffer | string): void => {
    if (data.toString().includes(CTRL_C)) onInterrupt();
  };
  const take = (): void => {
    stdin.setRawMode(true);
    stdin.on("data", onData);
    stdin.resume();
  };
  const leave = (): void => {
    stdin.off("data", onData);
    stdin.pause();
    stdin.setRawMode(false);
  };
  take();
  return {
    async lend(act) {
      leave();
      try {
        return await act();
      } finally {
        take();
      }
    },
    close: leave,
  };
}
