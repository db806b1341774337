import { expect, test } from "vitest";
import { tool } from "../policy/testing/sample.ts";
import { Fetch, HttpEndpoint } from "../wire/generated/tools.ts";
import { renderServer } from "./place.ts";
import { resolveToolTarget } from "./tool.ts";

const SERVER = { scheme: "https", host: "status.example.net", port: 443, path: "/api" };
const STATUS = tool("status.get", { interfaceId: HttpEndpoint.id, methodName: "get", servers: [SERVER] });
const WEB = tool("web.get", {
  interfaceId: Fetch.id,
  methodName: "get",
  servers: [SERVER, { scheme: "http", host: "10.0.2.2", port: 8080, path: "/" }],
});

const serverOf = (one: typeof STATUS, args: object) => {
  const target = resolveToolTarget(one, JSON.stringify(args));
  return target?.ok === true ? renderServer(target.value.place) : target?.reason;
};

test("a call of a tool without servers has no target server", () => {
  expect(resolveToolTarget(tool("notes.read"), '{"path":"/etc"}')).toBeUndefined();
});

test("if the grant has one server, a call goes to this server if its path is below the path of the grant", () => {
  expect(serverOf(STATUS, { path: "/api/x" })).toBe("https://status.example.net");
  expect(serverOf(STATUS, { path: "/other" })).toBe(
    "outside the page's grant, which covers https://status.example.net/api",
  );
});

test("a URL goes to the server that it names, with its port, if the grant covers this server", () => {
  expect(serverOf(WEB, { url: "http://10.0.2.2:8080/a" })).toBe("http://10.0.2.2:8080");
  expect(serverOf(WEB, { url: "https://evil.example/api" })).toBe(
    "outside the page's grant, which covers https://status.example.net/api, http://10.0.2.2:8080/",
  );
});

test("a refusal lists only a few servers of a grant with many servers", () => {
  const servers = ["a", "b", "c", "d", "e", "f"].map((host) => ({ ...SERVER, host, path: "/" }));
  expect(serverOf({ ...WEB, servers }, { url: "https://x/" })).toMatch(/c\/, https:\/\/d\/, 2 more$/);
});

test("a method that the grant does not name is refused whatever the path is", () => {
  expect(serverOf({ ...STATUS, methodName: "post", methodDenied: true }, { path: "/api/x" })).toBe(
    "the page's grant does not cover the method POST",
  );
});

test.each(["[]", "{", '{"path":1}', "{}"])("arguments that name no server are refused: %s", (args) => {
  expect(resolveToolTarget(STATUS, args)).toEqual({ ok: false, reason: "status.get has no path" });
});
