import { isCancel, text } from "@clack/prompts";
import { messageOf } from "@toycoder/core";
import { Interruption, type Io } from "../io.ts";
import { defaultDescription, pluginName } from "./plugin-name.ts";

/** What a person is asked; what is there already is not asked. */
export interface PluginAnswers {
  name: string;
  description: string;
}

/** Asks on the terminal, on stderr. Rejects with an Interruption where the person leaves. */
export async function askPlugin(known: Partial<PluginAnswers>, io: Io): Promise<PluginAnswers> {
  const where = { input: io.stdin, output: io.stderr, signal: io.signal };
  const given = async (options: Omit<Parameters<typeof text>[0], keyof typeof where>): Promise<string> => {
    const value = await text({ ...options, ...where });
    if (isCancel(value)) throw io.signal.aborted ? io.signal.reason : new Interruption("Ctrl-C", 130);
    return (value ?? "").trim();
  };
  const validate = (value: string | undefined): string | undefined => {
    try {
      pluginName(value ?? "");
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  const name =
    known.name ??
    (await given({ message: "What is the plugin called? (for instance line-count)", validate }));
  const description =
    known.description ??
    (await given({ message: "What does it bring, in a line?", initialValue: defaultDescription(name) }));
  return { name, description: description || defaultDescription(name) };
}
