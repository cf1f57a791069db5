type Random = () => number;

const pick = (random: Random, list: readonly string[]): string =>
  list[Math.floor(random() * list.length)] ?? "";

/** Ways to write the marked command. */
const MARKED = [
  "mark",
  "mark a",
  "\\mark",
  'm"ar"k',
  "ma''rk",
  "$'mark'",
  "$'\\x6dark'",
  "m{ark,}",
  "$(echo mark)",
  "${x:-mark}",
  "x=mark; $x",
  "x=ma; ${x}rk",
  "ROOT/bin/mark",
  "../bin/mark",
  "./../bin/mark",
  "~/../mark",
  "FOO=1 mark",
  "CI=1 mark",
  "mark 2>&1",
  ">out/x mark",
  "2>/dev/null mark",
  "../bin/m?rk",
  "../bin/m*k",
];

/** Ways to name it without running it. */
const NAMED = [
  "ok mark",
  "ok 'a; mark'",
  'ok "a; mark"',
  "ok a\\;mark",
  "ok a \\\n mark",
  "ok # mark",
  "ok '$(mark)'",
  'ok "\\$(mark)"',
  'ok "\\`mark\\`"',
  "ok \\$\\(mark\\)",
  "ok '\nmark'",
  "ok \\&\\& mark",
  "echo mark",
  "echo 'a' 'mark'",
  "cat <<'E'\n$(mark)\nE",
  "cat <<E\nmark\nE",
  "cat <<-E\n\tmark\n\tE",
  "cat <<< mark",
  "x=mark; ok $x",
  "for x in mark; do ok $x; done",
  "case mark in mark) ok;; esac",
  "[[ mark == mark ]] && ok",
  "[ mark = a ] || ok",
  "ok mark > out/mark",
  "true mark",
  "ok ${x:-mark}",
  "xargs < a.txt",
  "set -e; ok mark",
];

const HARMLESS = [
  "ok",
  "ok a b",
  "echo x",
  "ok > out/a",
  "ok 2>&1",
  "x=1",
  "ok $((1+2))",
  "ok | ok",
  "cd sub",
  "cd ..",
  "cd out && cd ..",
  "exit",
  "break",
  'ok "$PWD"',
  "out/prog",
  "./out/prog",
  "true",
  "[ -f a.txt ]",
  'echo "$?"',
];

/** Ways to run other commands: A and B stand for any, Q for one in single quotes, D for one in double quotes. */
const FORMS = [
  ..."A; B|A && B|A || B|A & B|! A|(A)|{ A; }|time A|coproc A|A\nB|A &".split("|"),
  "A | B",
  "A |& B",
  "if A; then B; fi",
  "if A; then A; elif B; then A; else B; fi",
  "for x in a b; do A; done",
  "for x in $(A); do B; done",
  "for ((i=0;i<2;i++)); do A; done",
  "while A; do B; break; done",
  "until A; do B; break; done",
  "case x in a) A;; x) B;; esac",
  "case $(A) in (*) B;& y) A;; esac",
  "f() { A; }; f",
  "f() (A); B; f | f",
  "function f { A; }; ok; f",
  "ok() { A; }; ok",
  "echo() { A; }; echo",
  "select x in a; do A; done",
  "echo $(A)",
  'echo "$(A)"',
  "echo `A`",
  'ok "`A`"',
  "ok <(A)",
  "cat <(A) <(B)",
  "A > >(B)",
  "x=$(A)",
  "x=$(A) ok",
  "CI=$(A) ok",
  "cat <<E\n$(A)\nE",
  "cat <<'E'\n$(A)\nE",
  "cat <<E | B\nA\nE",
  "cat <<< $(A)",
  "ok > out/$(A)",
  "ok $((1 + $(A)))",
  "ok $((y[$(A)]))",
  "ok ${x:-$(A)}",
  "ok ${x:=$(A)}",
  "ok {a,$(A)}",
  "[[ -n $(A) ]]",
  "[[ 'y[$(A)]' -eq 0 ]]",
  "[ -v 'y[$(A)]' ]",
  "((y[$(A)]))",
  "sh -c Q",
  "bash -c Q",
  "bash -c D",
  "bash -ec Q x",
  "env sh -c Q",
  "bash <<< Q",
  "bash <<'E'\nA\nE",
  "echo Q | bash",
  "echo Q | xargs env",
  "echo A | sh",
  "bash <(echo Q)",
  "eval Q",
  "eval A",
  "trap Q EXIT; B",
  "alias ok=Q; ok",
  ". <(echo Q)",
  "source /dev/stdin <<< Q",
  "env A",
  "env -u X A",
  "env X=1 A",
  "env -i A",
  "command A",
  "command -p A",
  "exec A",
  "nohup A",
  "nice -n 1 A",
  "timeout 5 A",
  "timeout -s KILL 5 A",
  "stdbuf -o0 A",
  "sudo A",
  "sudo -n A",
  "doas A",
  "busybox A",
  "xargs A < a.txt",
  "echo x | xargs -n 1 A",
  "echo x | xargs -I {} A",
  "find . -maxdepth 0 -exec A ';'",
  "find a.txt -exec A {} +",
  "find . -name a.txt -exec sh -c Q ';'",
  "BASH_ENV=x A",
  "PATH=../bin:$PATH A",
  "PATH=. A",
  "PS4='$(A)'; set -x; B",
  "PROMPT_COMMAND=Q B",
  "command_not_found_handle() { A; }; nosuch",
  "printf -v 'y[$(A)]' x",
  "read 'y[$(A)]' < a.txt",
  "x='y[$(A)]'; ok $((x))",
  "x='$(A)'; echo ${x@P}",
  "x=A; $x",
  "x=Q; eval $x",
  "cp ../bin/mark out/prog; out/prog",
  "echo Q > out/prog; bash out/prog",
  "{ A; } > out/a 2>&1",
  "while read x; do A; done < a.txt",
  "cd sub && A; cd ..",
  "(cd sub; A) && B",
];

const NOISE = [
  "'",
  '"',
  "`",
  "$",
  "\\",
  "\n",
  ";",
  "&",
  "|",
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  "#",
  " ",
  "!",
  "*",
  "$(",
  "mark",
  "; mark",
  "\nmark",
  "<<E\n",
  "\nE\n",
  "esac",
  "done",
  "fi",
];

const quoteSingle = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const quoteDouble = (text: string): string => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;

/** A random command of harmless and marked ones, some of them with a fault put in. */
export function compose(random: Random, root: string): string {
  let text = part(random, 1 + Math.floor(random() * 3));
  if (random() < 0.35) {
    for (let times = 1 + Math.floor(random() * 2); times > 0; times--) {
      const at = Math.floor(random() * (text.length + 1));
      text =
        text.slice(0, at) +
        (random() < 0.6 ? pick(random, NOISE) : "") +
        text.slice(at + (random() < 0.5 ? 1 : 0));
    }
  }
  return text.replaceAll("ROOT", root);
}

function part(random: Random, depth: number): string {
  const kind = random();
  if (depth === 0 || kind < 0.15) {
    const sort = random();
    return pick(random, sort < 0.25 ? MARKED : sort < 0.65 ? NAMED : HARMLESS);
  }
  return pick(random, FORMS).replaceAll(/[ABQD](?![A-Za-z_])(?<![A-Za-z_]\w)/g, (hole) => {
    const inner = part(random, depth - 1);
    return hole === "Q" ? quoteSingle(inner) : hole === "D" ? quoteDouble(inner) : inner;
  });
}
