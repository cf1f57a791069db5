import { expect, test } from "vitest";
import { splitWords } from "./split-words.ts";

test.each<[string, string[]]>([
  ["read_file", ["read", "file"]],
  ["getHTTPResponse", ["get", "http", "response"]],
  ["fetch-url.v2", ["fetch", "url", "v", "2"]],
  ["base64Encode", ["base", "64", "encode"]],
  ["It isn't the user's", ["it", "isn", "the", "user"]],
  ["Café Ünïcode", ["cafe", "unicode"]],
  ["ＦＵＬＬ　ｗｉｄｔｈ", ["full", "width"]],
  ["搜索代码", ["搜索", "索代", "代码", "搜", "索", "代", "码"]],
  ["檢索", ["检索", "检", "索"]],
  ["ﾌｧｲﾙを読む", ["ファ", "ァイ", "イル", "读"]],
  ["git日志", ["git", "日志", "日", "志"]],
  ["파일을", ["파일", "일을", "파", "일", "을"]],
  ["поиск файлов", ["поиск", "файлов"]],
  ["\ud800 😀 \udfff", []],
])("%j", (text, expected) => {
  expect(splitWords(text)).toEqual(expected);
});
