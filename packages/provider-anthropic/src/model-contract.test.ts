import { describeModel } from "@toycoder/testing";
import { describe, test } from "vitest";
import { MESSAGES } from "./test-support/messages-wire.ts";

describeModel(MESSAGES, { describe, test });
