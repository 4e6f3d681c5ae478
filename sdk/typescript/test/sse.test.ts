import { expect, test } from "vitest";
import { type Message, MessageParser } from "../src/sse.js";

function read(...pieces: string[]): Message[] {
  const parser = new MessageParser();
  return pieces.flatMap((piece) => [...parser.push(piece)]);
}

const whole = 'id: 7\nevent: memory\ndata: {"a":1}\n\n';
const message = { event: "memory", data: '{"a":1}', id: "7" };

test("a message is read whole", () => {
  expect(read(whole)).toEqual([message]);
});

test.each(["\n", "\r\n", "\r"])("cut anywhere, with %j, the messages are the same", (end) => {
  const text = (whole + whole).replaceAll("\n", end);
  for (let cut = 0; cut <= text.length; cut++) {
    expect(read(text.slice(0, cut), text.slice(cut))).toEqual([message, message]);
  }
  expect(read(...text)).toEqual([message, message]);
});

test("data of several lines is one text, empty lines in it too", () => {
  expect(read("data: one\ndata\ndata: three\n\n")).toEqual([{ event: "message", data: "one\n\nthree", id: undefined }]);
});

test("comments are no messages, and none ends one", () => {
  expect(read(": heartbeat\n\n", "data: a\n: in between\ndata: b\n\n")).toMatchObject([{ data: "a\nb" }]);
});

test("one space after the colon belongs to the format, the next one to the value", () => {
  expect(read("data:a\n\ndata: a\n\ndata:  a\n\n").map(({ data }) => data)).toEqual(["a", "a", " a"]);
});

test("an id stays until the next one, also when it came without data", () => {
  expect(read("id: 1\n\ndata: a\n\nid: 2\ndata: b\n\ndata: c\n\n").map(({ id }) => id)).toEqual(["1", "2", "2"]);
  expect(read("id: 1\nid: a\0b\ndata: a\n\n")).toMatchObject([{ id: "1" }]);
});

test("the kind is of one message only; unknown fields are passed over", () => {
  expect(read("event: x\nretry: 5\nother: y\ndata: a\n\ndata: b\n\n").map(({ event }) => event)).toEqual([
    "x",
    "message",
  ]);
});

test("what is not ended is not told", () => {
  expect(read("data: a\n")).toEqual([]);
});
