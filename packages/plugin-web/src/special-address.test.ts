import { expect, test } from "vitest";
import { specialAddress } from "./special-address.ts";

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2001:200::1",
  "2003::1",
])("%s is public", (address) => {
  expect(specialAddress(address)).toBeUndefined();
});

test.each([
  ["10.0.0.0", /^private/],
  ["100.64.0.0", /CGNAT/],
  ["100.127.255.255", /CGNAT/],
  ["172.16.0.0", /^private/],
  ["172.31.255.255", /^private/],
  ["239.255.255.255", /^multicast/],
  ["240.0.0.0", /reserved/],
  ["::ffff:8.8.8.8", /mapped/],
  ["64:ff9b::808:808", /NAT64/],
  ["2002:808:808::1", /6to4/],
  ["2001::1", /Teredo/],
  ["2001:db8::1", /documentation/],
  ["fe80::1%eth0", /^link-local/],
  ["fdff::1", /unique local/],
  ["::8.8.8.8", /IPv4/],
  ["100::1", /outside/],
  ["localhost", /no IP address/],
  ["", /no IP address/],
])("%s is not", (address, name) => {
  expect(specialAddress(address)).toMatch(name);
});
