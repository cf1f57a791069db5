// What a module of TypeScript declares and exports, read from its source alone.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript6";

const KINDS = new Map([
  [ts.SyntaxKind.FunctionDeclaration, "function"],
  [ts.SyntaxKind.ClassDeclaration, "class"],
  [ts.SyntaxKind.InterfaceDeclaration, "interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "type"],
  [ts.SyntaxKind.VariableStatement, "constant"],
]);

const cache = new Map();

/**
 * A source file: its declarations by name (`own`), the names that it takes from elsewhere (`taken`), and those that it
 * exports, in its order.
 */
function readModule(file) {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileDeclaration(readFileSync(file, "utf8"), {
    fileName: file,
    compilerOptions: { isolatedDeclarations: true, module: ts.ModuleKind.NodeNext, stripInternal: true },
  });
  const source = ts.createSourceFile(file, outputText, ts.ScriptTarget.Latest, true);
  const module = { own: new Map(), taken: new Map(), exported: new Set() };
  for (const statement of source.statements) noteStatement(statement, source, module);
  cache.set(file, module);
  return module;
}

function noteStatement(statement, source, { own, taken, exported }) {
  const kind = KINDS.get(statement.kind);
  for (const name of kind === undefined ? [] : namesOf(statement)) {
    own.set(name, [...(own.get(name) ?? []), { kind, ...textsOf(statement, source) }]);
    if (statement.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)) exported.add(name);
  }
  const from = statement.moduleSpecifier?.text;
  const named = statement.exportClause?.elements ?? statement.importClause?.namedBindings?.elements ?? [];
  for (const { name, propertyName } of named) {
    if (from !== undefined) taken.set(name.text, { from, name: (propertyName ?? name).text });
    if (ts.isExportDeclaration(statement)) exported.add(name.text);
  }
}

const namesOf = (statement) =>
  statement.declarationList?.declarations.map(({ name }) => name.text) ?? [statement.name.text];

/** A declaration's text, and apart from it what the comment before it says. */
function textsOf(statement, source) {
  const [comment] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc).slice(-1);
  const text = statement
    .getText(source)
    .replace(/^export (?:declare )?/, "")
    .replace(/^declare /, "")
    .replaceAll(/^ {4}/gm, "  ")
    .replaceAll(/^ *#private;\n/gm, "");
  return { doc: proseOf(comment?.getText(source) ?? ""), text };
}

const proseOf = (comment) =>
  comment
    .replaceAll(/^\/\*\*\s?|\s*\*\/$/g, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\{@link ([\w.]+)\}/g, "`$1`")
    .trim();

/**
 * The exports of an entry file in its order: `{ name, kind, doc, text }`, a text with all overloads;
 * `{ name, from }` for what comes from another package.
 */
export function exportsOf(entry) {
  const names = [...readModule(entry).exported].filter((name) => name !== "default");
  return names.map((name) => ({ name, ...follow(entry, name) }));
}

function follow(file, name) {
  const { own, taken } = readModule(file);
  const declared = own.get(name);
  if (declared !== undefined) {
    const [{ kind, doc }] = declared;
    return {
      kind,
      doc: declared.find((one) => one.doc !== "")?.doc ?? doc,
      text: declared.map(({ text }) => text).join("\n"),
    };
  }
  const there = taken.get(name);
  if (there === undefined) throw new Error(`${file} declares no ${name}`);
  const next = path.resolve(path.dirname(file), there.from);
  if (!there.from.startsWith(".") || !existsSync(next)) return { from: there.from };
  return follow(next, there.name);
}
