import { describe } from "vitest";
import { describeMachines } from "#server/test/imports/describe-machines.ts";

describe("several machines with their files in folder", () => describeMachines("folder"));
