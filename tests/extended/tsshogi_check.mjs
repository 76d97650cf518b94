// Reads games that this project has written and answers with what tsshogi makes of them.
//
//     node tsshogi_check.mjs FOLDER IN OUT
//
// FOLDER holds node_modules/tsshogi. IN: games separated by U+001E, each the fields USI, KIF, KI2,
// CSA separated by U+001F. OUT: the same, each field "USI of our KIF", "USI of our KI2", "USI of
// our CSA", then tsshogi's own KIF, KI2 and CSA of the game. A fault is "error: ...".
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, input, output] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), "package.json"));
const tsshogi = require("tsshogi");

const RECORD = "\u001e";
const FIELD = "\u001f";

function usiOf(record) {
    if (record instanceof Error) return `error: ${record.message}`;
    record.goto(Number.MAX_SAFE_INTEGER);
    return record.getUSI({ startpos: false, resign: false, allMoves: true });
}

function attempt(action) {
    try {
        return action();
    } catch (error) {
        return `error: ${error.message}`;
    }
}

const games = readFileSync(input, "utf8").split(RECORD).filter((game) => game !== "");
const answers = games.map((game) => {
    const [usi, kif, ki2, csa] = game.split(FIELD);
    const original = tsshogi.Record.newByUSI(usi);
    if (original instanceof Error) throw original;
    return [
        attempt(() => usiOf(original)),
        attempt(() => usiOf(tsshogi.importKIF(kif))),
        attempt(() => usiOf(tsshogi.importKI2(ki2))),
        attempt(() => usiOf(tsshogi.importCSA(csa))),
        attempt(() => tsshogi.exportKIF(original)),
        attempt(() => tsshogi.exportKI2(original)),
        attempt(() => tsshogi.exportCSA(original)),
    ].join(FIELD);
});
writeFileSync(output, answers.join(RECORD));
