import { describeModel } from "@toycoder/testing";
import { describe, test } from "vitest";
import { RESPONSES } from "./test-support/responses-wire.ts";
import { CHAT, COMPATIBLE } from "./test-support/subjects.ts";

for (const subject of [RESPONSES, CHAT, COMPATIBLE]) describeModel(subject, { describe, test });
