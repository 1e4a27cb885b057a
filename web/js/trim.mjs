// Leaves out of the shell's wasm what no line can reach. The interpreter puts each of its programs into one table before
// anybody may say which of them he wants, so the linker must keep them all; `names.rs` then refuses most of them.
//
// A program is reached through the function table alone. So the entries that belong to a refused one are not followed, and
// every function that nothing else calls becomes a trap. What anything that stays calls directly stays too, whatever its name,
// but for the few that the interpreter calls by a name that is refused before: `shell.test.mjs` says these in many ways.

/** The interpreter's programs that are refused or that this lab has its own of: modules, or single programs of a module. What awk
 * has for patterns is grep's too. */
const REFUSED = `
  archive assert awk::(?!regex)\\w+ basenc bc caller clear compgen csv curl cuttr date dd diff disk dotenv envsubst factor fc fmt glob_cmd help hextools http
  iconv inspect join json log ls make man mkfifo numfmt parallel patch pr random retry rg semver shuf sleep strings system
  template timeout tomlq tree tsort verify zip_cmd checksum::B2sum coreutils_extra::(Chgrp|Shasum) environ::History
  fileops::(Mkdir|Mktemp|Rm|Cp|Mv|Chmod|Chown|Touch) generated::(ls|mktemp|od|shuf|stat|tee)_args introspect::(Type|Which)
  jobctl::(Disown|Bg|Fg|Ps|Pgrep) pipeline::(Tee|Watch|Xargs) shellenv::(Ulimit|Locale|Enable)
  sysextra::(Arch|Free|Getconf|SyncCmd|Hostid|RunAs|UserInfo|Uptime) vars::Times`;
/** Kinds of file systems that a login has none of: they are made where one is asked for, `login.rs` asks for none. */
const FILE_SYSTEMS = "overlay|rootfs";
const refused = new RegExp(`\\bbashkit::(builtins::(${REFUSED.trim().split(/\s+/).join("|")})|fs::(${FILE_SYSTEMS}))\\b`);

/** What the interpreter itself runs for names that never come so far. */
const UNREACHED = /^bashkit::interpreter::(completion|readline_bind)::.*::execute_(compgen|complete|compopt|bind)_builtin\b/;

/** The compiler makes one of equal functions, so a short one may be that of a program that stays. */
const LEAST = 128;
/** The same, and the programs are made before they are refused, and so they are dropped. */
const drops = /drop_in_place|drop_slow/;
/** What fills a cell on its first use has no name of its own; it is known by what it calls. */
const fills = /^core::ops::function::FnOnce::call_once/;
const TRAP = Buffer.from([3, 0, 0x00, 0x0b]);

/** Reads numbers and bytes of a module one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    let [value, place, byte] = [0, 1, 0];
    do {
      byte = this.byte();
      value += (byte & 127) * place;
      place *= 128;
    } while (byte & 128);
    return value;
  }

  skip(numbers = 1) {
    for (let n = numbers; n > 0; n -= 1) while (this.byte() & 128);
  }

  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }

  list(read) {
    return Array.from({ length: this.number() }, () => read(this));
  }

  limits() {
    const flags = this.byte();
    this.skip(flags & 1 ? 2 : 1);
  }
}

function number(value) {
  const bytes = [];
  do bytes.push((value & 127) | (value > 127 ? 128 : 0));
  while ((value >>>= 7));
  return Buffer.from(bytes);
}

/** The functions that stand in an instruction; leaves the reader behind it. */
function functionsOf(code) {
  const op = code.byte();
  if (op === 0x10 || op === 0x12 || op === 0xd2) return code.number();
  if (op === 0x11 || op === 0x13) code.skip(2);
  else if ((op >= 0x02 && op <= 0x04) || op === 0x0c || op === 0x0d) code.skip();
  else if ((op >= 0x20 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0) code.skip();
  else if (op === 0x0e) code.skip(code.number() + 1);
  else if (op === 0x1c) code.at += code.number();
  else if (op >= 0x28 && op <= 0x3e) code.skip(code.number() & 64 ? 2 : 1);
  else if (op === 0x43) code.at += 4;
  else if (op === 0x44) code.at += 8;
  else if (op === 0xfc) {
    const more = code.number();
    code.skip(more < 8 ? 0 : [2, 1, 2, 1, 2, 1, 2, 1, 1, 1][more - 8]);
  } else if (!([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].includes(op) || (op >= 0x45 && op <= 0xc4))) {
    throw new Error(`trim.mjs does not know the instruction 0x${op.toString(16)}`);
  }
  return undefined;
}

/** The sections of a module by their number; of those with a name only the one that names functions. */
function sectionsOf(bytes) {
  const sections = [];
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    sections.push({ id, from: reader.at, to: reader.at + size });
    reader.at += size;
  }
  return sections;
}

/** The functions of an element segment. */
function elements(reader) {
  const flags = reader.number();
  const functions = [];
  const expression = () => {
    while (reader.bytes[reader.at] !== 0x0b) functions.push(functionsOf(reader));
    reader.at += 1;
  };
  if (!(flags & 1)) {
    if (flags & 2) reader.skip();
    expression();
  }
  if (flags & 3) reader.at += 1;
  for (let n = reader.number(); n > 0; n -= 1) {
    if (flags & 4) expression();
    else functions.push(reader.number());
  }
  return functions.filter((index) => index !== undefined);
}

function namesOf(bytes, sections) {
  for (const { id, from, to } of sections) {
    const reader = new Reader(bytes, from);
    if (id !== 0 || reader.text() !== "name") continue;
    while (reader.at < to) {
      const part = reader.byte();
      const end = reader.number() + reader.at;
      if (part === 1) return new Map(reader.list(() => [reader.number(), reader.text()]));
      reader.at = end;
    }
  }
  throw new Error("the shell's wasm names no functions: was it stripped?");
}

/** A module without what is refused, and without names. */
export function trim(bytes) {
  const sections = sectionsOf(bytes);
  const section = (id) => new Reader(bytes, sections.find((section) => section.id === id)?.from);
  const names = namesOf(bytes, sections);
  const name = (index) => names.get(index) ?? "";

  const kinds = section(2).list((reader) => {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) reader.skip();
    else if (kind === 1) reader.skip();
    if (kind === 1 || kind === 2) reader.limits();
    if (kind === 3) reader.at += 2;
    return kind;
  });
  const before = kinds.filter((kind) => kind === 0).length;
  const bodies = section(10).list((reader) => {
    const size = reader.number();
    reader.at += size;
    return { from: reader.at - size, to: reader.at };
  });
  const calls = ({ from, to }) => {
    const code = new Reader(bytes, from);
    for (let n = code.number(); n > 0; n -= 1) code.skip(2);
    const called = new Set();
    while (code.at < to) called.add(functionsOf(code));
    called.delete(undefined);
    return called;
  };
  for (const [at, body] of bodies.entries()) Object.assign(body, { index: before + at, calls: calls(body) });

  const isRefused = (index) => refused.test(name(index));
  const isLeft = (index) => {
    const body = bodies[index - before];
    if (!body || drops.test(name(index))) return false;
    if (fills.test(name(index)) && [...body.calls].some(isRefused)) return true;
    return body.to - body.from >= LEAST && isRefused(index);
  };
  const exported = section(7).list((reader) => {
    reader.text();
    return [reader.byte(), reader.number()];
  });
  const todo = exported.filter(([kind]) => kind === 0).map(([, index]) => index);
  if (sections.some(({ id }) => id === 8)) todo.push(section(8).number());
  todo.push(...section(9).list(elements).flat().filter((index) => !isLeft(index)));
  const stays = new Set();
  while (todo.length) {
    const index = todo.pop();
    if (stays.has(index) || UNREACHED.test(name(index))) continue;
    stays.add(index);
    todo.push(...(bodies[index - before]?.calls ?? []));
  }

  const code = [number(bodies.length)];
  for (const { from, to, index } of bodies) {
    if (stays.has(index)) code.push(number(to - from), bytes.subarray(from, to));
    else code.push(TRAP);
  }
  const out = [bytes.subarray(0, 8)];
  for (const { id, from, to } of sections.filter(({ id }) => id !== 0)) {
    const content = id === 10 ? Buffer.concat(code) : bytes.subarray(from, to);
    out.push(Buffer.from([id]), number(content.length), content);
  }
  return Buffer.concat(out);
}
