const ENGLISH =
  "a an the of to in on at by for from with without and or but if then than as is are was were be been being am " +
  "do does did doing have has had having i me my mine we us our you your yours he she it its they them their " +
  "this that these those there here what which who whom whose when where why how can could will would shall " +
  "should may might must not no nor so too very just also please let lets want wants wanted need needs needed " +
  "like help some any all each into onto about over under between during both such only own same other more " +
  "most much many up down out off again once don doesn didn isn ll ve re im id";
const CHINESE =
  "的 了 吗 呢 吧 啊 把 给 这 那 在 是 我 你 您 他 们 请 帮 一 个 些 下 里 上 有 用 和 或 与 就 都 也 很 想 要 能 会 " +
  "什 么 怎 哪 得 地 到 被 从 对 为 以 所 中 的话 一下 什么 怎么 哪里 哪些 请帮 帮我 给我 我的 这个 那个 这段 有什 刚才 想要 可以 一个 所有";
const JAPANESE =
  "する して した ます です ない さい くだ ださ から まで など たい いて って てい いる ある この その あの どこ これ それ " +
  "こと もの よう ため なに 下 中 的";

/** Words, and pairs of characters, that say nothing about which tool is wanted. */
export const STOP_WORDS: ReadonlySet<string> = new Set([ENGLISH, CHINESE, JAPANESE].join(" ").split(" "));
