// ISO 3166-1 alpha-2, the officially assigned codes (interface: Account, countryCode).

const assigned =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** The codes by their first letter, like NL, NO and NP: `[Nn][LOPlop]`. */
const groups = new Map<string, string>();
for (const code of assigned.split(' '))
  groups.set(code.charAt(0), (groups.get(code.charAt(0)) ?? '') + code.charAt(1));

/** In either case. */
export const countryCodePattern = new RegExp(
  `^(?:${[...groups].map(([first, second]) => `${eitherCase(first)}${eitherCase(second)}`).join('|')})$`,
);

function eitherCase(letters: string): string {
  return `[${letters}${letters.toLowerCase()}]`;
}
