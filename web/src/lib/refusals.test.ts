import "../testing/page";

import { render } from "svelte/server";
import { expect, test } from "vitest";

import Refusal from "../components/Refusal.svelte";
import { fixture } from "../testing/fixtures";
import { LANGUAGES, type Language } from "./catalogue";
import { speech } from "./i18n.svelte";
import { refusalWords, type Terms } from "./refusalWords";
import { stepWords } from "./stepWords";
import type { NextStep, Problem, View } from "./types";
import { say } from "./words";

const view = fixture<View>("tiger-buffalo-betting-player");
const { sign } = view.public;

const problem = (detail: string, values: Problem["values"] = {}): Problem => ({ code: detail.split(".")[0] ?? "", message: "words of the server", detail, values, paragraph: "3.4", fits: 7_500 });

test("a refusal is said in the viewer's language, with the limit, what fits and the paragraph, and in no other", () => {
  const said = { en: "The minimum on Big Tiger is SGD 5.00", "zh-Hans": "大老虎的最低限额为 SGD 5.00", vi: "Mức tối thiểu của Hổ lớn là SGD 5.00" };
  for (const language of LANGUAGES) {
    speech.language = language;
    const { body } = render(Refusal, { props: { problem: problem("below_minimum", { bet: "big_tiger", amount: 500 }), sign } });
    expect(body).toContain(`<strong>${said[language]}</strong>`);
    expect(body).toContain(say(language, "betting.fits", { amount: "75" }));
    expect(body).toContain(say(language, "sign.paragraph", { paragraph: "3.4" }));
    expect(body).not.toContain("words of the server");
  }
  speech.language = "en";
});

test("what the floor refuses has the server's words beside the page's", () => {
  const { body } = render(Refusal, { props: { problem: { code: "role", message: "a player may not do that" } } });
  expect(body).toContain(say("en", "refusal.role"));
  expect(body).toContain("a player may not do that");
});

test("values are said as the cloth and the language say them", () => {
  const words = (detail: string, values: Problem["values"], language: Language = "en", at: Terms = sign): string => refusalWords(language, problem(detail, values), at);
  expect(words("box.taken", { box: 5 })).toBe("Box 5 is taken");
  expect(words("box.taken", { box: 4 }, "vi", {})).toBe("Ô 4 đã có người");
  expect(words("confirmations.boxes", { boxes: [3, 5] }, "zh-Hans")).toMatch(/3、5$/);
  expect(words("players.commission", { people: [] })).toMatch(/: –$/);
  expect(words("funds.stack", { person: "ann", amount: 0 })).toBe("ann has SGD 0.00 in chips");
  expect(words("funds.stack", { person: "ann", amount: 150 }, "en", {})).toBe("ann has 1.50 in chips");
  expect(words("finished", { card: "9h" })).toBe("The coup is finished: 9 of Hearts is not due");
  expect(words("no_insurance.hand", { hand: "banker" }, "zh-Hans")).toBe("庄现在没有保险");
  expect(words("rank.needed", { rank: "pit_manager" })).toBe("This needs the rank of Pit Manager or above");
  expect(words("rank.needed", { rank: "floor_walker" })).toBe("This needs the rank of floor walker or above");
  expect(words("ruling.other", { ruling: "void", rulings: ["reconstruct", "as_it_lies"] }, "vi")).toBe("Không thể phán quyết “Hủy ván” ở đây; có thể: Đặt lại và chia lại, Giữ nguyên như đang có");
  expect(words("flagged.incident", { family: "above_maximum", about: { code: "bet", values: { person: "ann", box: 5, bet: "big_tiger" } } }, "zh-Hans")).toBe("超过上限的注码待裁定：ann 5 号位 大老虎");
  expect(words("flagged.incident", { family: "wrong_side", about: "{box} $& card 5" })).toBe("A card at the wrong hand waits for a ruling: {box} $& card 5");
});

test("a step is said in the viewer's language, a new one by its code", () => {
  const at = (step: Partial<NextStep>): string => stepWords({ ...view, next_step: { do: "", who: "dealer", ...step } });
  speech.language = "vi";
  expect(at({ do: "confirm", box: 5 })).toBe("Thu và trả ô 5");
  expect(at({ do: "turn", detail: "turn.squeezed", number: 5, hand: "banker", people: ["ann"] })).toBe("ann nặn lá 5 của Cái");
  expect(at({ do: "propose", family: "wrong_side" })).toBe("Phán quyết: Lá bài sai bên");
  expect(at({ do: "report_cards" })).toBe(say("vi", "do.report_cards"));
  expect(at({ do: "brand_new" })).toBe("brand new");
  speech.language = "en";
});
