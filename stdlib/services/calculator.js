// What answers for Calculator where a page names no program of its own: numbers, + - * / and brackets, read by a grammar of
// its own and worked out exactly. Nothing of an expression is ever run as a program.
//
//   sum     = product { ("+" | "-") product }
//   product = factor { ("*" | "/") factor }
//   factor  = [ "-" ] ( number | "(" sum ")" )

const MAX_CHARACTERS = 1024;
/** Brackets and signs within each other: each is a call of this program. */
const MAX_DEPTH = 64;
/** Of a number on the way, before and behind its point together: beyond that it is no sum that anybody meant. */
const MAX_DIGITS = 1000;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([-+*/()]))/y;

function tokensOf(expression) {
  if (expression.length > MAX_CHARACTERS) throw new Error(`an expression has at most ${MAX_CHARACTERS} characters`);
  const text = expression.trimEnd();
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`at character ${from + 1}: expected a number, + - * / or a bracket`);
    tokens.push(found[1] === undefined ? { sign: found[2] } : { number: found[1] });
  }
  return tokens;
}

/** Whole numbers of 64 bits: what does not fit is refused and never wrapped round, and a quotient is cut off towards zero. */
const whole = {
  read: (text) => fitting(BigInt(text)),
  "+": (left, right) => fitting(left + right),
  "-": (left, right) => fitting(left - right),
  "*": (left, right) => fitting(left * right),
  "/": (left, right) => fitting(left / divisor(right)),
  text: String,
};

function fitting(value) {
  if (value < LEAST || value > MOST) throw new Error("the numbers go beyond 64 bits");
  return value;
}

function divisor(value) {
  if (value === 0n) throw new Error("nothing can be divided by zero");
  return value;
}

/** Fractions of whole numbers in lowest terms: exact, until one is to be written down. */
const exact = {
  read(text) {
    const [before, behind = ""] = text.split(".");
    return fraction(BigInt(before + behind), 10n ** BigInt(behind.length));
  },
  "+": (left, right) => fraction(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom),
  "-": (left, right) => fraction(left.top * right.bottom - right.top * left.bottom, left.bottom * right.bottom),
  "*": (left, right) => fraction(left.top * right.top, left.bottom * right.bottom),
  "/": (left, right) => fraction(left.top * right.bottom, left.bottom * divisor(right.top)),
  text: decimalText,
};

const TOO_LARGE = 10n ** BigInt(MAX_DIGITS);

function fraction(top, bottom) {
  const sign = bottom < 0n ? -1n : 1n;
  const common = commonDivisor(top < 0n ? -top : top, bottom * sign) * sign;
  const lowest = { top: top / common, bottom: bottom / common };
  if (lowest.top >= TOO_LARGE || lowest.top <= -TOO_LARGE || lowest.bottom >= TOO_LARGE) {
    throw new Error(`the numbers have more than ${MAX_DIGITS} digits`);
  }
  return lowest;
}

function commonDivisor(left, right) {
  let [larger, smaller] = [left, right];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Only twos and fives below the line make a decimal that ends. */
function decimalText({ top, bottom }) {
  let places = 0;
  let scaled = top;
  while (scaled % bottom !== 0n) {
    if (places === MAX_DIGITS) throw new Error("the quotient has no last decimal place");
    scaled *= 10n;
    places += 1;
  }
  const digits = String(scaled / bottom).replace("-", "").padStart(places + 1, "0");
  const cut = digits.length - places;
  return `${top < 0n ? "-" : ""}${digits.slice(0, cut)}${places === 0 ? "" : `.${digits.slice(cut)}`}`;
}

/** The value of all tokens, in one arithmetic. */
function worth(tokens, arithmetic) {
  let at = 0;
  const isNext = (signs) => at < tokens.length && signs.includes(tokens[at].sign);
  const chain = (signs, operand) => (depth) => {
    let value = operand(depth);
    while (isNext(signs)) value = arithmetic[tokens[at++].sign](value, operand(depth));
    return value;
  };
  const factor = (depth) => {
    if (depth === MAX_DEPTH) throw new Error(`brackets and signs go at most ${MAX_DEPTH} deep`);
    const token = tokens[at++];
    if (token?.number !== undefined) return arithmetic.read(token.number);
    // -2^63 can be written, though its amount alone does not fit.
    if (token?.sign === "-") return negative(depth);
    if (token?.sign !== "(") throw new Error("a number or an opening bracket is missing");
    const value = sum(depth + 1);
    if (!isNext([")"])) throw new Error("a closing bracket is missing");
    at += 1;
    return value;
  };
  const negative = (depth) => {
    const number = tokens[at]?.number;
    if (number === undefined) return arithmetic["-"](arithmetic.read("0"), factor(depth + 1));
    at += 1;
    return arithmetic.read(`-${number}`);
  };
  const product = chain(["*", "/"], factor);
  const sum = chain(["+", "-"], product);
  const value = sum(0);
  if (at < tokens.length) throw new Error(`\`${tokens[at].sign ?? tokens[at].number}\` stands where the expression ends`);
  return value;
}

export default {
  calc({ expression }) {
    const tokens = tokensOf(expression);
    const arithmetic = tokens.some(({ number }) => number?.includes(".")) ? exact : whole;
    const value = arithmetic.text(worth(tokens, arithmetic));
    return { said: `${expression.trim()} = ${value}`, value };
  },
};
