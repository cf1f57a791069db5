import { describeModel } from "@toycoder/testing";
import { describe, test } from "vitest";
import { CASSETTE } from "./test-support/cassette-subject.ts";

describeModel(CASSETTE, { describe, test });
