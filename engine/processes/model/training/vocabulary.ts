// Words that fill requests. The words for training and those for evaluation have no open-class word in common. So a model
// that answers an evaluation right must have copied the word from the request.

import { readFileSync } from "node:fs";
import { Random } from "./random.ts";

export interface World {
  /** Things and projects: parts of names. */
  readonly nouns: readonly string[];
  readonly adjectives: readonly string[];
  readonly people: readonly string[];
  readonly surnames: readonly string[];
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
  readonly topics: readonly string[];
  readonly programs: readonly string[];
  readonly cities: readonly string[];
}

const split = (text: string): readonly string[] => text.trim().split(/\s+/);
const splitLines = (text: string): readonly string[] => text.trim().split(/\s*;\s*/);

const PLAIN_WORLD: World = {
  nouns:
    split(`alpha anchor apple atlas aurora badge basil beacon birch blossom bridge budget cactus canvas carbon cedar cellar
    chapter cherry cobalt comet copper coral cosmos crater crystal delta desert dragon eagle ember engine falcon fern field
    flint forest fox frost galaxy garden ginger glacier granite harbor hazel helium heron hydra invoice island ivory jasmine
    jungle kernel kiwi lagoon lantern lemon lion lotus lunar magnet mango maple marble meadow mercury meteor minutes mint
    mocha neon nickel notes nova oasis oak ocean olive onyx opal orbit orchid otter owl panda paper pearl pepper phoenix
    pine pixel plan planet plum polar pulse quartz raven readme report ridge river robin rocket ruby saffron sales sierra
    silver solar spark spruce staff storm summit sun swan tiger todo topaz tulip turbo valley velvet violet walnut whale
    willow winter wolf yarn zebra zenith zinc`),
  adjectives:
    split(`big blue bold brave bright calm clean cold cool dark deep dry early fast final fresh good gray great green
    happy heavy hot huge late light little loud lucky main new nice noisy old open pink plain proud quick quiet rare red
    sharp shy silent slow small smart soft strong sweet tall tiny warm wet white wild young`),
  people:
    split(`adam alice amir anna ben bob carla carol chen clara dan dave diego ella emma erik eva felix finn frank grace
    greta hanna hugo igor ines ivan jack jane jonas julia karl kate lara lena leo lisa luca lucy marco maria max mia mike
    nina noah nora olga oscar paul petra rosa sam sara sofia tim tina tom vera viktor wendy yuki zoe`),
  surnames:
    split(`adams baker becker berg brown carter clark cook costa davis diaz evans fischer fox garcia green hall hansen
    hill jensen jones keller kim king klein kovacs lang lee lopez martin meyer miller moore novak olsen park patel petrov
    reed rossi santos schmidt silva smith stone tanaka taylor turner vogel wagner walker weber white wilson wolf wood young`),
  titles:
    splitLines(`buy milk; call the plumber; printer paper is out of stock; login does not work; slow page; water the plants; pay
    the rent; weekly review; broken link on the start page; update the manual; disk is full; prepare the slides; book a
    table; fix the door; renew the passport; wrong totals in the report; missing invoice; order new chairs; clean the
    kitchen; meet the auditors; typo in the header; search finds nothing; answer the landlord; back to school; crash on
    start; feed the cat; export is empty; send the contract; plan the offsite; dark mode flickers; lunch with the team`),
  sentences:
    splitLines(`the meeting is at noon; we ran out of coffee; hello world; the server was moved to the second rack; nobody is
    in the office today; the key is under the mat; remember to bring the slides; all tests are green; it works on my
    machine; the old numbers were wrong; please call back before five; lunch is ready; release is postponed by a week; do not
    touch the red button; the customer wants a refund; we need two more chairs; milk, eggs and bread; maintenance starts at
    ten; the door code has changed; thanks for the flowers; everything is fine; the train is late again; build it, test it,
    ship it; see you on Monday; first draft, do not share; the cat is on the roof; turn left at the bridge; price is 12
    euros; name, age, city; this line was added by hand; version two is out; I will be late; ask the lawyers first; the
    coffee machine is broken; nothing to report; rain is expected; my bike has a flat tyre; they signed the contract`),
  topics:
    splitLines(`coffee; holidays; network; budget; security; hiring; the garden; music; invoices; onboarding; wine; my sister;
    parking; taxes; release notes; image editing; the old server; travel; health; printer ink; football; lunch; the boss;
    python; passwords; kernel updates; spreadsheets; video; design; shipping; heating; insurance; birthdays; the office`),
  programs:
    split(`make rsync tar python3 node gcc ffmpeg convert wget grep sort find indexer importer reporter crawler cleanup
    resize encode scan sync-mail train render lint`),
  cities:
    split(`Berlin Paris London Madrid Rome Vienna Prague Warsaw Lisbon Dublin Oslo Helsinki Athens Tokyo Seoul Delhi
    Cairo Toronto Boston Chicago Denver Austin Lima Bogota Sydney Hamburg Munich Zurich Geneva Milan`),
};

/** Words for the evaluation. The training world contains none of them, which a test checks. */
export const EVALUATION_WORLD: World = {
  nouns:
    split(`abacus acorn almond amber bamboo barley beaver bison cobra clover condor cricket dahlia dolphin domino dune
    elm finch garnet gecko gopher hickory hornet iguana jackal jade juniper kestrel koala larch ledger linden lynx magnolia
    mallard manta mosaic nectar nutmeg obelisk osprey papaya parsley pebble pelican poppy puffin quail quiver rhubarb salmon
    sequoia sparrow sphinx stork sycamore tangent thistle toucan tundra turnip viper walrus wasabi weasel yucca`),
  adjectives:
    split(`amusing ancient bitter blunt brisk broad crisp curly dusty eager fancy fierce fluffy frozen gentle glossy
    humble idle jolly keen lavish lean mellow misty modest neat odd pale polite rigid robust rusty shiny sleek solid steep
    sturdy subtle swift tame tidy vast vivid witty`),
  people:
    split(`agnes albert beatrix bruno cedric cora desmond dora edgar elsa fabian flora gilbert gwen harriet horace ida
    ingmar joanna kasper leopold lydia magnus mabel nadia nestor odette orson philippa quentin ramona rufus selma silas
    tabea tobias ursula vincent wanda xavier yvonne zelda`),
  surnames:
    split(`abbott barlow bauer castillo delgado dvorak eriksen farrell gallo hendricks ibsen jankowski kessler lindgren
    maurer nakamura oakley pereira quist ramsey sorensen thorpe underwood varga whitfield yilmaz zeller`),
  titles:
    splitLines(`repair the fence; elevator is stuck; renew the library card; charts have no legend; collect the parcel; air the
    cellar; timeout on checkout; dentist; choir rehearsal; board meeting; piano lesson; replace the batteries; sort the
    photos; broken window; wrong currency on receipts; parents' evening; return the ladder; budget talk; oil change`),
  sentences:
    splitLines(`the parcel was left with the neighbours; seven boxes are missing; the roof leaks near the stairs; use the
    side entrance; tomatoes were cheaper last year; our flight lands after midnight; the pump makes a strange noise; both
    candidates accepted; keep the receipt for the deposit; the choir sings on Friday; gate B is closed; the lamp in the hall
    flickers; she prefers tea; half of the seats are taken; the invoice was paid twice; bring warm clothes; the pool opens in
    May; two volunteers are ill; the new carpet arrives soon; read chapter nine; the ferry leaves early`),
  topics:
    splitLines(`beekeeping; carpets; the choir; allergies; pottery; mortgage; chess; sailing; the elevator; recycling; sculpture;
    violins; mushrooms; the lease; cycling; astronomy; cheese; dentists; origami; the ferry`),
  programs:
    split(`rotate-keys tidy-up send-digest compact-index purge-cache mirror-feeds warm-up resample transcribe stitch
    aggregate-stats thumbnailer`),
  cities:
    split(`Ljubljana Tallinn Porto Antwerp Bergen Krakow Seville Tbilisi Nairobi Quito Osaka Perth Calgary Portland
    Marseille Gdansk Utrecht Turin`),
};

const MORE: ReadonlyMap<string, string> = new Map(
  readFileSync(new URL("more-words.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" "))]),
);
const getMore = (key: string): string => MORE.get(key) ?? "";

/** Returns an invented word, which a model can only copy. */
function makeUpWord(random: Random): string {
  const makeSyllable = (): string =>
    random.pick([..."bdfgklmnprstvz", "br", "ch", "dr", "gl", "kr", "st", "tr"]) +
    random.pick([..."aeiou", "ai", "ou"]) +
    random.pick(["", "", "l", "n", "r", "s", "x"]);
  return Array.from({ length: random.drawBetween(2, 3) }, makeSyllable).join("");
}

/** Returns `count` distinct texts, each made of one of the first and one of the second words. */
function combineTexts(firsts: readonly string[], seconds: readonly string[], count: number, random: Random): string[] {
  return random.shuffle(
    firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`)),
    count,
  );
}

/** Joins a text that spans two source lines. */
const joinLines = (text: string): string => text.replace(/\s+/g, " ");

function buildTrainingWorld(random: Random): World {
  return {
    nouns: [...PLAIN_WORLD.nouns, ...split(getMore("nouns")), ...Array.from({ length: 250 }, () => makeUpWord(random))],
    adjectives: [...PLAIN_WORLD.adjectives, ...split(getMore("adjectives"))],
    people: [...PLAIN_WORLD.people, ...split(getMore("people"))],
    surnames: [...PLAIN_WORLD.surnames, ...split(getMore("surnames"))],
    cities: [...PLAIN_WORLD.cities, ...split(getMore("cities"))],
    programs: [...PLAIN_WORLD.programs, ...split(getMore("programs"))],
    topics: [...PLAIN_WORLD.topics, ...splitLines(getMore("topics"))].map(joinLines),
    titles: [
      ...PLAIN_WORLD.titles.map(joinLines),
      ...combineTexts(splitLines(getMore("works")), splitLines(getMore("things")), 300, random),
    ],
    sentences: [
      ...PLAIN_WORLD.sentences.map(joinLines),
      ...combineTexts(splitLines(getMore("subjects")), splitLines(getMore("predicates")), 600, random),
    ],
  };
}

export const TRAINING_WORLD: World = buildTrainingWorld(new Random(41));
