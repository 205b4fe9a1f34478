// What servers say of processes in Dutch: sentences of cases, of Work and of the log, and refusals.
import type { Catalogue } from './text.ts';

export const sentencesInDutch: Catalogue = {
  ' Another person is told from the page of the wall: no case follows their item.':
    ' Nog iemand krijgt bericht vanaf de pagina van de wand: geen zaak volgt dat artikel.',
  ' If it does not stay shut, take the locker out of order.':
    ' Blijft ze niet dicht, stel het vak dan buiten gebruik.',
  ' It is still in the locker.': ' Het ligt nog in het vak.',
  ' It may be: {0}.': ' Het kan zijn: {0}.',
  ' Its shipment was cancelled while the item was inside.':
    ' De zending is geannuleerd terwijl het artikel erin lag.',
  ' The newest says: {0}{1}.': ' De nieuwste zegt: {0}{1}.',
  ' Without one it goes on{0} at {1}.': ' Zonder antwoord gaat het{0} verder om {1}.',
  ' You have until {0} to bring it.': ' U hebt tot {0} de tijd om het te brengen.',
  ' You have until {0} to pick it up.': ' U hebt tot {0} de tijd om het op te halen.',
  ' at {0}': ' bij {0}',
  ' has stopped': ' is gestopt',
  ' in “{0}”': ' in “{0}”',
  ' of {0}': ' van {0}',
  ' once': ' één keer',
  ' since {0}': ' sinds {0}',
  ' to version {0}': ' naar versie {0}',
  ' to {0}': ' naar {0}',
  ' The deadlines of what is booked run on, the first until {0}; they can be extended.':
    ' De termijnen van wat is geboekt lopen door, de eerste tot {0}; ze kunnen worden verlengd.',
  ' The {0} flows that it has started go on, with deadlines of their own.':
    ' De {0} flows die hij heeft gestart lopen door, met eigen termijnen.',
  ' {0}, which it has started, goes on, with deadlines of its own.':
    ' {0}, die hij heeft gestart, loopt door, met eigen termijnen.',
  ' {0} is {1}': ' {0} is {1}',
  ' {0} more people are told from the page of the wall: no case follows their items.':
    ' Nog {0} personen krijgen bericht vanaf de pagina van de wand: geen zaak volgt hun artikelen.',
  ' {0} older ones were given up.': ' {0} oudere zijn opgegeven.',
  ' {0} runs on, until {1}; it can be extended.': ' {0} loopt door, tot {1}; hij kan worden verlengd.',
  ' {0} times': ' {0} keer',
  ', which is put aside: {0}': ', maar dat is terzijde gelegd: {0}',
  ', again with the same id: it takes effect once': ', opnieuw met hetzelfde id: het telt één keer',
  ', and no booking gets this locker until it is shut': ', en geen boeking krijgt dit vak tot ze dicht is',
  ', and an item is inside': ', en er ligt een artikel in',
  ', but {0}': ', behalve {0}',
  ', by {0}{1}': ', door {0}{1}',
  ', case number {0}': ', zaaknummer {0}',
  ', opened to put an item in': ', geopend om een artikel in te leggen',
  ', started by {0}': ', gestart door {0}',
  ', to look inside': ', om te kijken',
  '. Deadlines begin anew: {0}': '. Termijnen beginnen opnieuw: {0}',
  '1 case did': '1 zaak antwoordde',
  '1 less urgent entry is open.': 'Er staat 1 minder dringende regel open.',
  '1 more is open.': 'Er staat nog 1 open.',
  '1 with its door open': '1 met de deur open',
  ': not all could be undone': ': niet alles kon worden teruggedraaid',
  ': was it booked?': ': is er geboekt?',
  ': what is true?': ': wat is waar?',
  '; it counts as put in': '; het telt als ingelegd',
  '; it counts as taken out': '; het telt als uitgenomen',
  '; its callback had not come': '; de melding was niet gekomen',
  '; last picked up at an unknown time': '; voor het laatst opgehaald op een onbekend tijdstip',
  '; last picked up at {0}': '; voor het laatst opgehaald om {0}',
  '; {0} at a time': '; {0} tegelijk',
  '; {0}: this is another one': '; {0}: dit is er nog een',
  '; {0}: this is another request': '; {0}: dit is nog een aanvraag',
  'A deadline has passed{0}{1}.': 'Een termijn is verstreken{0}{1}.',
  'A locker becomes free, and is booked': 'Er komt een vak vrij, en dat wordt geboekt',
  'A person decides': 'Iemand beslist',
  'A person decides: {0}': 'Iemand beslist: {0}',
  'A person puts an item into a locker, and it is in stock again.':
    'Iemand legt een artikel in een vak, en het is weer op voorraad.',
  'A person puts an item into a locker, and the desk takes it out.':
    'Iemand legt een artikel in een vak, en de balie haalt het eruit.',
  'A person takes out an item that is in stock and brings it back later: then it is in stock again.':
    'Iemand haalt een artikel uit de voorraad en brengt het later terug: dan is het weer op voorraad.',
  'A person takes out an item that is in stock and leaves another one, which the desk takes out.':
    'Iemand haalt een artikel uit de voorraad en laat een ander achter, dat de balie eruit haalt.',
  'A person takes out an item that is in stock, or will be.':
    'Iemand haalt een artikel eruit dat op voorraad is, of komt.',
  'A person takes out of a locker once, or the locker stays booked.':
    'Iemand haalt één keer iets uit een vak, of het vak blijft geboekt.',
  'A worker fails at {0}': 'Een worker loopt vast op {0}',
  'Adopt what was booked': 'Overnemen wat er is geboekt',
  'After {0} the case goes on{1} without an answer.': 'Na {0} gaat de zaak zonder antwoord verder{1}.',
  'All of Work: {0}': 'Al het werk: {0}',
  'All that you were notified of is done. {0}': 'Alles waarover u bericht kreeg, is gedaan. {0}',
  'An account is found or created.': 'Een account wordt gevonden of aangemaakt.',
  'An entry of Work that is snoozed': 'Een regel van Werk die is uitgesteld',
  'An item lies in locker {0} of {1}': 'Er ligt een artikel in vak {0} van {1}',
  'An item that no case follows': 'Een artikel dat geen zaak volgt',
  'An item was left in locker {0} of {1}.{2}': 'Er is een artikel achtergebleven in vak {0} van {1}.{2}',
  'An item was left in {0}': 'Er is een artikel achtergebleven in {0}',
  'Another one than {0}.': 'Een andere dan {0}.',
  'Answer for {0}': 'Antwoorden voor {0}',
  'Answer the question to {0}: “{1}”': 'Beantwoord de vraag aan {0}: “{1}”',
  'Anybody can put something in{0}.': 'Iedereen kan er iets in leggen{0}.',
  'Anybody can take out what is inside.': 'Iedereen kan eruit halen wat erin ligt.',
  'As JSON, like { "cost": 12 }. Leave it empty if the event has none.':
    'Als JSON, zoals { "cost": 12 }. Laat het leeg als de gebeurtenis er geen heeft.',
  'Ask the person what keeps them; then extend the deadline, or cancel.':
    'Vraag de persoon waardoor het komt; verleng dan de termijn, of annuleer.',
  'Ask whoever has it to bring it back, and say so once it is there; or write it off.':
    'Vraag wie het heeft om het terug te brengen, en zeg het als het er is; of schrijf het af.',
  'Ask whoever has it to bring it back. Once it is back, or lost, say so here.':
    'Vraag wie het heeft om het terug te brengen. Is het terug, of kwijt, zeg dat dan hier.',
  Assign: 'Toewijzen',
  'At least {0} characters.': 'Ten minste {0} tekens.',
  'At most {0} characters.': 'Ten hoogste {0} tekens.',
  Back: 'Terug',
  'Back, said by {0}': 'Terug, gezegd door {0}',
  'Back, said by {0} {1}': 'Terug, gezegd door {0} {1}',
  'Before a migration {0} was asked.': 'Vóór een migratie werd {0} gevraagd.',
  'Being booked': 'Wordt geboekt',
  'Being put into {0}: its door is open': 'Wordt nu in {0} gelegd: de deur is open',
  'Book again': 'Opnieuw boeken',
  Booked: 'Geboekt',
  'Booked ahead': 'Vooraf geboekt',
  'Booked or not? A person decides': 'Geboekt of niet? Iemand beslist',
  'Booking in doubt': 'Boeking onzeker',
  'Bring back': 'Terugbrengen',
  'Brought back': 'Teruggebracht',
  'Brought back: the desk took it out of {0}': 'Teruggebracht: de balie nam het uit {0}',
  'Business key of the case': 'Nummer van de zaak',
  'Cancel the case': 'De zaak annuleren',
  'Choose the one that is of this case: nothing is booked again.':
    'Kies die van deze zaak: er wordt niets opnieuw geboekt.',
  'Choose what was booked: then nothing is booked again.':
    'Kies wat er is geboekt: dan wordt er niets opnieuw geboekt.',
  'Could not be read: {0}.': 'Kon niet worden gelezen: {0}.',
  'Could not be undone: a person decides': 'Kon niet worden teruggedraaid: iemand beslist',
  Deadline: 'Termijn',
  'Decide how it goes on.': 'Beslis hoe het verder gaat.',
  'Decide how it goes on: {0}, or another way under More.':
    'Beslis hoe het verder gaat: {0}, of een andere manier onder Meer.',
  'Deploy workers with the defect mended, and it goes on by itself. To end it and undo nothing, use temporal workflow terminate.':
    'Rol workers uit waarin het defect is hersteld, dan gaat het vanzelf verder. Om het te beëindigen zonder iets ongedaan te maken: temporal workflow terminate.',
  'Does not answer now': 'Antwoordt nu niet',
  'Drop them': 'Weglaten',
  'Dropped off': 'Ingelegd',
  'Else the next booking may get it, with a door that stays shut.':
    'Anders kan de volgende boeking het krijgen, met een deur die dicht blijft.',
  'Ended overdue': 'Te laat afgelopen',
  Event: 'Gebeurtenis',
  'Events of {0} are not taken': 'Gebeurtenissen van {0} worden niet aangenomen',
  'Events of {0} cases are not taken': 'Gebeurtenissen van {0} zaken worden niet aangenomen',
  'Everybody of {0} may take and answer it again. Only {1} can do it.':
    'Iedereen van {0} mag het weer nemen en beantwoorden. Alleen {1} kan dit doen.',
  'Extend a deadline': 'Een termijn verlengen',
  'Extend a wait': 'Een wachttijd verlengen',
  'Fetch the item that was left; then say that the locker is empty: until then nobody else gets it.':
    'Haal het achtergebleven artikel op; zeg dan dat het vak leeg is: tot dan krijgt niemand anders het.',
  'Fetch what was left in it': 'Haal eruit wat is achtergebleven',
  'Fetch {0} items at {1}': '{0} artikelen ophalen bij {1}',
  'Fetched from locker {0}{1}': 'Opgehaald uit vak {0}{1}',
  'Fetched from {0}': 'Opgehaald uit {0}',
  'Find out what is true, at the locker or from the receiver, and say so.':
    'Zoek uit wat waar is, bij het vak of bij de ontvanger, en zeg het.',
  'For a door that stands open, or was opened with its key. The case goes on as if the person had picked the item up: say so only once it is out. No door opens, and it cannot be taken back.':
    'Voor een deur die openstaat, of met de sleutel is geopend. De zaak gaat verder alsof de persoon het artikel heeft opgehaald: zeg het pas als het eruit is. Er gaat geen deur open, en het kan niet worden teruggenomen.',
  'For a door that stands open, or was opened with its key. The case goes on as if the person had put the item in: say so only once it is inside. No door opens, and it cannot be taken back.':
    'Voor een deur die openstaat, of met de sleutel is geopend. De zaak gaat verder alsof de persoon het artikel erin heeft gelegd: zeg het pas als het erin ligt. Er gaat geen deur open, en het kan niet worden teruggenomen.',
  'From then on nobody but you may answer it.': 'Vanaf dan mag alleen u antwoorden.',
  'Give it back': 'Teruggeven',
  'Give the case up': 'De zaak opgeven',
  'Give them to a case': 'Aan een zaak geven',
  'Give your name and your password.': 'Geef uw naam en uw wachtwoord.',
  'Go on without the event': 'Doorgaan zonder de gebeurtenis',
  'Handed out by hand, said by {0}': 'Met de hand uitgegeven, volgens {0}',
  'Have it mended, and put it in order again: then this ends.':
    'Laat het repareren en stel het weer in gebruik: dan is dit klaar.',
  'If it is this one, choose it: nothing is booked again.':
    'Is het deze, kies die dan: er wordt niets opnieuw geboekt.',
  'If nothing else happens, it goes on to “{0}”': 'Gebeurt er niets anders, dan gaat het verder met “{0}”',
  'If one of the cases should have it, give the reports to that. If another system booked it, drop them.':
    'Hoort het bij een van de zaken, geef de meldingen daaraan. Heeft een ander systeem het geboekt, laat ze dan weg.',
  'In no locker: nothing was booked': 'In geen vak: er is niets geboekt',
  'In no locker: {0}': 'In geen vak: {0}',
  'In stock': 'Op voorraad',
  'In stock, {0}': 'Op voorraad, {0}',
  'In {0}': 'In {0}',
  Inbox: 'Inbox',
  'Inside is the item of {0}.': 'Erin ligt het artikel van {0}.',
  'It begins': 'Het begint',
  'It goes on from before.': 'Het gaat verder van voorheen.',
  'It has stopped: {0}': 'Het is gestopt: {0}',
  'It hears of {0}': 'Het hoort van {0}',
  'It is asked again by itself. Until then look at the wall, or ask whoever runs the locker service: if it was booked, say which shipment it is.':
    'Het wordt vanzelf opnieuw gevraagd. Kijk tot dan bij de wand, of vraag wie de kluisdienst beheert: is er geboekt, zeg dan welke zending het is.',
  'It is back': 'Het is terug',
  'It is being booked': 'Er wordt geboekt',
  'It is due at {0}.': 'Uiterlijk {0}.',
  'It is kept, with your name.': 'Het wordt bewaard, met uw naam.',
  'It is not known whose item is inside.': 'Het is niet bekend van wie het artikel erin is.',
  'It is out of order, with an item inside': 'Het is buiten gebruik, met een artikel erin',
  'It lies in locker {0}: if it has to be seen, take “Open to look” there.':
    'Het ligt in vak {0}: neem daar “Openen om te kijken” als het gezien moet worden.',
  'It may be {0}.': 'Het kan {0} zijn.',
  'It may still be published when a worker is back: publish again then, the same content is the same version':
    'Het kan nog worden gepubliceerd als er weer een worker is: publiceer dan opnieuw, dezelfde inhoud is dezelfde versie',
  'It stands open since {0}{1}.': 'Ze staat open sinds {0}{1}.',
  'It stays empty: no booking gets it.': 'Het blijft leeg: geen boeking krijgt het.',
  'It was asked anew: a migration has changed its fields.':
    'De vraag is opnieuw gesteld: een migratie heeft de velden veranderd.',
  'It was booked: choose it': 'Er is geboekt: kies die',
  'It was handed out by hand': 'Het is met de hand uitgegeven',
  'It was never put into a locker': 'Het is nooit in een vak gelegd',
  'It was put in by hand': 'Het is met de hand erin gelegd',
  'Its door stayed shut: try it': 'De deur bleef dicht: probeer het',
  'Its item is still out, and nobody waits for it any more.':
    'Het artikel is nog uitgeleend, en niemand wacht er meer op.',
  'Its time is over': 'De tijd is voorbij',
  'Its time{0} ends': 'De tijd{0} loopt af',
  'Late is only what comes after the new end: what was late by the old one is not late any more. A step that has not begun keeps the new end for later.':
    'Te laat is alleen wat na het nieuwe einde komt: wat te laat was volgens het oude, is het niet meer. Een stap die niet is begonnen, houdt het nieuwe einde voor later.',
  'Leave it empty to keep the case number.': 'Laat het leeg om het zaaknummer te houden.',
  'Left in {0}': 'Achtergebleven in {0}',
  'Let somebody go there, and open it again, or with the key, and say here what became of the item; or move it to another locker.':
    'Laat iemand erheen gaan en de deur nog eens openen, of met de sleutel, en zeg hier wat er met het artikel is gebeurd; of verplaats het naar een ander vak.',
  'Let somebody go there, and open it again. If only the key opens it, say what became of the item, and take the locker out of order.':
    'Laat iemand erheen gaan en de deur nog eens openen. Gaat ze alleen met de sleutel open, zeg dan wat er met het artikel is gebeurd, en stel het vak buiten gebruik.',
  'Let somebody go there, and open them again. Where several doors stay shut for one reason, see to the wall, too.':
    'Laat iemand erheen gaan en ze opnieuw openen. Blijven er om één reden meer deuren dicht, kijk dan ook naar de wand.',
  'Let somebody go there, look inside and shut the door.':
    'Laat iemand erheen gaan, erin kijken en de deur sluiten.',
  'Let somebody go there, look inside and shut the door: then this ends.{0}':
    'Laat iemand erheen gaan, erin kijken en de deur sluiten: dan eindigt dit.{0}',
  'Locker {0} at {1} does not open at the moment.': 'Vak {0} bij {1} gaat op dit moment niet open.',
  'Locker {0} of {1} is out of order': 'Vak {0} van {1} is buiten gebruik',
  'Locker {0}, {1}': 'Vak {0}, {1}',
  'Lockers {0} cannot be opened: {1}.': 'De vakken {0} kunnen niet worden geopend: {1}.',
  'Look at the locker service, or ask its operator: if it was booked, adopt it; if it was not, book again.':
    'Kijk bij de kluisdienst, of vraag de beheerder: is er geboekt, neem het over; zo niet, boek opnieuw.',
  'Look at the locker service, or ask its operator: if it was booked, say which shipment it is.':
    'Kijk bij de kluisdienst, of vraag de beheerder: is er geboekt, zeg dan welke zending het is.',
  'Look at {0} first. Only if it does not need the item there, open the locker and take it out. Then say that the locker is empty.':
    'Kijk eerst naar {0}. Alleen als die zaak het artikel daar niet nodig heeft: open het vak en haal het eruit. Meld dan dat het vak leeg is.',
  'Mend the cause, like wrong credentials, and try again; or say what state the shipment is in.':
    'Neem de oorzaak weg, zoals onjuiste toegangsgegevens, en probeer het opnieuw; of zeg in welke toestand de zending is.',
  'Messages of the type {0}': 'Berichten van de soort {0}',
  'Messages of the type {0} came, which lockerflow does not know.{1}':
    'Er kwamen berichten van de soort {0}, die lockerflow niet kent.{1}',
  'Moved to {0}': 'Verplaatst naar {0}',
  New: 'Nieuw',
  'New case number': 'Nieuw zaaknummer',
  'No booking gets the locker until it is put in order again. A shipment that has it keeps it.':
    'Geen boeking krijgt het vak tot het weer in gebruik is. Een zending die het heeft, houdt het.',
  'Nobody looks for it any more. It is kept with your name.':
    'Niemand zoekt er meer naar. Het wordt met uw naam bewaard.',
  'Nobody signs in by a provider: CONSOLE_OIDC_ISSUER is not set.':
    'Niemand meldt aan via een aanmelddienst: CONSOLE_OIDC_ISSUER is niet ingesteld.',
  'Nobody waits for it, and nobody is reminded.': 'Niemand wacht erop, en niemand wordt herinnerd.',
  'Not begun: begins when one of the others is done{0}':
    'Niet begonnen: begint als een van de andere klaar is{0}',
  'Not booked': 'Niet geboekt',
  'Not in a locker yet{0}': 'Nog niet in een vak{0}',
  'Not in {0} yet': 'Nog niet in {0}',
  'Not known yet which shipment it is': 'Nog niet bekend welke zending het is',
  'Not put into a locker yet': 'Nog niet in een vak gelegd',
  'Not sent: somebody has ended its delivery.': 'Niet verstuurd: iemand heeft de bezorging beëindigd.',
  'Nothing else is open.': 'Verder staat er niets open.',
  'Nothing is booked, and nothing happens by itself: start it again, with another size, place or person, or later.':
    'Er is niets geboekt, en vanzelf gebeurt er niets: start het opnieuw, met een andere maat, plaats of persoon, of later.',
  'Nothing was booked: book again.': 'Er is niets geboekt: boek opnieuw.',
  'On a round: {0}': 'Op een ronde: {0}',
  'On its way.': 'Onderweg.',
  'One on each line: {0}': 'Eén per regel: {0}',
  'Open locker {0}: counts as picked up': 'Vak {0} openen: telt als opgehaald',
  'Open locker {0}: counts as put in': 'Vak {0} openen: telt als erin gelegd',
  'Open the locker and take the item out. Then say that the locker is empty.':
    'Open het vak en haal het artikel eruit. Meld dan dat het vak leeg is.',
  'Pick up': 'Ophalen',
  'Please bring {0} back as soon as you can: its loan has ended.':
    'Breng {0} zo snel mogelijk terug: de lening is beëindigd.',
  'Please put {0} into {1}{2}.': 'Leg {0} alstublieft in {1}{2}.',
  'Publish the flow and start it again, or start the one that was meant.':
    'Publiceer de procedure en start het opnieuw, of start de procedure die bedoeld was.',
  'Put in': 'Inleggen',
  'Put in by hand, said by {0}': 'Met de hand erin gelegd, volgens {0}',
  'Put into {0}': 'In {0} gelegd',
  'Read them with lockerflow unmatched show; drop them if nobody needs them.':
    'Lees ze met lockerflow unmatched show; laat ze weg als niemand ze nodig heeft.',
  'Receiver known': 'Ontvanger bekend',
  'Remove the receiver': 'De ontvanger verwijderen',
  Result: 'Resultaat',
  'Say what state it is in': 'Zeggen in welke toestand het is',
  'Say which shipment is which': 'Zeggen welke zending welke is',
  'Say who receives it': 'Zeggen wie het ontvangt',
  'Say who receives the item.': 'Zeg wie het artikel ontvangt.',
  'See that the other system runs, and that LOCKERFLOW_CONNECTORS of the workers has it. To drop them, terminate the workflow {0} in Temporal.':
    'Zorg dat het andere systeem draait, en dat LOCKERFLOW_CONNECTORS van de workers het heeft. Om ze weg te laten: beëindig de workflow {0} in Temporal.',
  'See to what it says, and start it again.': 'Los op wat er staat, en start het opnieuw.',
  'See that the wall has power and a network: once it answers, its doors can be opened again.':
    'Zorg dat de wand stroom en netwerk heeft: zodra ze antwoordt, kunnen de deuren weer open.',
  'Set the receiver': 'De ontvanger instellen',
  'Shorten a deadline': 'Een termijn verkorten',
  'Shorten a wait': 'Een wachttijd verkorten',
  'Shut its door': 'Sluit de deur',
  'Shut its door, then say that it was taken out': 'Sluit de deur, en zeg dan dat het is uitgenomen',
  Somebody: 'Iemand',
  'Somebody books it again: nothing happens by itself': 'Iemand boekt het opnieuw: vanzelf gebeurt er niets',
  'Somebody chooses what was booked': 'Iemand kiest wat er is geboekt',
  'Somebody has it': 'Iemand heeft het',
  'Somebody puts an item into a locker, and somebody else takes it out: who that is can be said later.':
    'Iemand legt een artikel in een vak, en een ander haalt het eruit: wie dat is, kan later gezegd worden.',
  'Somebody says who receives the item': 'Iemand zegt wie het artikel ontvangt',
  'Somebody tries out notifications (lockerflow notify --test). Nothing is wrong.':
    'Iemand probeert de meldingen uit (lockerflow notify --test). Er is niets aan de hand.',
  Something: 'Iets',
  'Start it again with a corrected input.': 'Start het opnieuw met een verbeterde invoer.',
  'Something was left in it, and {0} may count on it: look there first':
    'Er is iets in achtergebleven, en {0} kan erop rekenen: kijk daar eerst',
  'Start it again: elsewhere, with another size, or later.':
    'Start het opnieuw: elders, met een andere maat, of later.',
  'Started by {0}': 'Begint door {0}',
  'Started with': 'Gestart met',
  'State not known yet': 'Toestand nog niet bekend',
  'Still open': 'Nog open',
  'Still out: nobody has brought it back': 'Nog uitgeleend: niemand heeft het teruggebracht',
  'Still with whoever brings it: no locker is booked': 'Nog bij wie het brengt: er is geen vak geboekt',
  'Take it': 'Nemen',
  'Take out what was brought': 'Haal eruit wat gebracht is',
  'Take the locker out of order': 'Het vak buiten gebruik stellen',
  'Take the locker out of order, too': 'Stel het vak ook buiten gebruik',
  'Taken out': 'Uitgenomen',
  'Taken out of {0}': 'Uit {0} gehaald',
  'Takes {0}': 'Neemt {0} aan',
  'Tell an event': 'Een gebeurtenis melden',
  'Tell {0}: the case goes on once its file is corrected and the case migrated to it.':
    'Zeg het aan {0}: de zaak gaat verder zodra het bestand is verbeterd en de zaak ernaar is gemigreerd.',
  'Temporal does not have the schedule {0}; publish the file again, which makes it':
    'Temporal heeft het schema {0} niet; publiceer het bestand opnieuw, dan wordt het gemaakt',
  'Temporal has nothing of it now': 'Temporal heeft er nu niets van',
  'Terminated, nothing was undone': 'Afgebroken, niets is teruggedraaid',
  'The answer to the booking was lost, so nobody knows whether it was made: {0}.{1}':
    'Het antwoord op de boeking is verloren, dus niemand weet of er is geboekt: {0}.{1}',
  'The answer to the booking was lost.': 'Het antwoord op de boeking is verloren gegaan.',
  'The answer to the booking was lost: nobody has chosen yet what was booked':
    'Het antwoord op de boeking ging verloren: niemand heeft nog gekozen wat is geboekt',
  'The answer to {0} comes': 'Het antwoord op {0} komt',
  'The booking was not made': 'De boeking is niet gemaakt',
  'The case cancels what it has started, and fails. It cannot be continued.':
    'De zaak annuleert wat ze heeft gestart, en mislukt. Ze kan niet worden voortgezet.',
  'The case does again what it could not do.': 'De zaak doet opnieuw wat ze niet kon.',
  'The case does not answer: its lockers are not known now.':
    'De zaak antwoordt niet: de vakken zijn nu niet bekend.',
  'The case does not say where it stands: {0}. It loses nothing; the page goes on by itself when a worker answers.':
    'De zaak zegt niet waar ze staat: {0}. Er gaat niets verloren; de pagina gaat vanzelf verder als een worker antwoordt.',
  'The case ends. What it could not cancel stays booked at the locker service.':
    'De zaak eindigt. Wat ze niet kon annuleren, blijft bij de kluisdienst geboekt.',
  'The case gets the reports as if they had just come. It must be open and have this shipment.':
    'De zaak krijgt de meldingen alsof ze net zijn gekomen. Ze moet lopen en deze zending hebben.',
  'The case goes on and may count on the item that was left: it can book the locker for the next person. Fetch it only if the case does not need it there; then say that the locker is empty.':
    'De zaak gaat verder en kan rekenen op het artikel dat is achtergebleven: ze kan het vak voor de volgende persoon boeken. Haal het alleen op als de zaak het daar niet nodig heeft; meld dan dat het vak leeg is.',
  'The case goes on trying. What it cannot undo stays booked.':
    'De zaak blijft het proberen. Wat ze niet kan terugdraaien, blijft geboekt.',
  'The case goes on with the answer, and keeps your name.{0}':
    'De zaak gaat verder met het antwoord en bewaart uw naam.{0}',
  'The case goes on with the shipments that you name here, each in the role that you give it. It books nothing. Look at the wall or ask the service first: a shipment of somebody else would be cancelled with this case.':
    'De zaak gaat verder met de zendingen die u hier noemt, elk in de rol die u geeft. Ze boekt niets. Kijk eerst bij de wand of vraag de dienst: een zending van iemand anders zou met deze zaak worden geannuleerd.',
  'The case goes on with what it believed before, and may wait for something that has happened.':
    'De zaak gaat verder met wat ze eerder dacht, en wacht misschien op iets dat al is gebeurd.',
  'The case goes on with what was booked: {0}. It books nothing more.':
    'De zaak gaat verder met wat er is geboekt: {0}. Ze boekt niets meer.',
  'The case hears that it is to end. It undoes what its flow says, and ends; this cannot be taken back.':
    'De zaak hoort dat ze moet eindigen. Ze draait terug wat het proces zegt, en eindigt; dit kan niet worden teruggenomen.',
  'The case stands still, for as long as nobody decides; what it would do after a time waits, too.{0}':
    'De zaak staat stil zolang niemand beslist; wat ze na een tijd zou doen, wacht ook.{0}',
  'The case stands still, whatever is reported and however late it is.':
    'De zaak staat stil, wat er ook wordt gemeld en hoe laat het ook is.',
  'The case takes the event as if somebody outside had told it. A guard of the flow may still be against it; then nothing changes.':
    'De zaak neemt de gebeurtenis alsof iemand van buiten die heeft gemeld. Een voorwaarde van het proces kan er nog tegen zijn; dan verandert er niets.',
  'The case takes this as the state of the shipment, and goes on from there. Nothing changes in the locker service or in the locker: what comes after it there, such as a return, does not begin. Where somebody has put the item in or taken it out, say so by hand instead.':
    'De zaak neemt dit als de toestand van de zending en gaat vandaar verder. Er verandert niets in de kluisdienst of in het vak: wat daar volgt, zoals een retour, begint niet. Heeft iemand het artikel erin gelegd of eruit gehaald, zeg dat dan met de hand.',
  'The case undoes what it has booked, and ends as cancelled. It cannot be taken back.':
    'De zaak draait terug wat ze heeft geboekt, en eindigt als geannuleerd. Het kan niet worden teruggenomen.',
  'The case waits for the answer, for as long as it takes.':
    'De zaak wacht op het antwoord, hoe lang het ook duurt.',
  'The case waits on.': 'De zaak wacht verder.',
  'The case waits on, and its locker stays taken.': 'De zaak wacht verder, en het vak blijft bezet.',
  'The case waits only until the new end, and then does what it would have done at the old one.':
    'De zaak wacht slechts tot het nieuwe einde, en doet dan wat ze bij het oude zou hebben gedaan.',
  'The case waits until the new end, and then does what it would have done at the old one.':
    'De zaak wacht tot het nieuwe einde, en doet dan wat ze bij het oude zou hebben gedaan.',
  'The case waits. If the booking was made, its locker stays taken, and nobody is told of it.':
    'De zaak wacht. Is er geboekt, dan blijft het vak bezet, en niemand hoort ervan.',
  'The case was cancelled, and {0}.': 'De zaak is geannuleerd, en {0}.',
  'The desk': 'De balie',
  'The desk puts an item into a locker, and a person takes it out.':
    'De balie legt een artikel in een vak, en iemand haalt het eruit.',
  'The desk puts an item into a locker, to be given out later.':
    'De balie legt een artikel in een vak, om later uit te geven.',
  'The desk puts an item into a locker; a person takes it out and leaves another one, which the desk takes out.':
    'De balie legt een artikel in een vak; iemand haalt het eruit en laat een ander achter, dat de balie eruit haalt.',
  'The desk puts it in': 'De balie legt het in',
  'The desk takes out an item that was brought back, and puts one into its locker, to be given out later.':
    'De balie haalt een teruggebracht artikel eruit, en legt er een in dat vak, om later uit te geven.',
  'The desk takes out of a locker once, or the locker stays booked.':
    'De balie haalt één keer iets uit een vak, of het vak blijft geboekt.',
  'The door is open.': 'De deur is open.',
  'The door is open: put the item in, and shut it.': 'De deur is open: leg het artikel erin, en sluit ze.',
  'The door is open: take the item out, and shut it.':
    'De deur is open: neem het artikel eruit, en sluit ze.',
  'The door of locker {0} of {1} stands open': 'De deur van vak {0} van {1} staat open',
  'The door of locker {0} of {1} stayed shut': 'De deur van vak {0} van {1} bleef dicht',
  'The door of locker {0} stands open since {1}Z.': 'De deur van vak {0} staat open sinds {1}Z.',
  'The door of locker {0} stayed shut: {1}.': 'De deur van vak {0} bleef dicht: {1}.',
  'The entry ends. It is kept with your name.': 'De regel eindigt. Het wordt met uw naam bewaard.',
  'The event whose step failed is dropped. The case goes on as if it had never come.':
    'De gebeurtenis waarvan de stap mislukte, wordt weggelaten. De zaak gaat verder alsof die nooit is gekomen.',
  'The item of {0} is still out': 'Het artikel van {0} is nog uitgeleend',
  'The item stays locked in, and whoever comes for it cannot take it out.':
    'Het artikel blijft opgesloten, en wie ervoor komt, kan het er niet uithalen.',
  'The item stays there, and no booking gets this locker.':
    'Het artikel blijft daar, en geen boeking krijgt dit vak.',
  'The item stays there, and only a booking that names this locker gets it.':
    'Het artikel blijft daar liggen, en alleen een boeking die dit vak noemt, krijgt het.',
  'The last try to open it failed: {0}.': 'De laatste poging om het te openen mislukte: {0}.',
  'The locker is empty now': 'Het vak is nu leeg',
  'The locker is out of order, and the item is still inside: have the door opened, then {0}.':
    'Het vak is buiten gebruik, en het artikel ligt er nog in: laat de deur openen, en {0} dan.',
  'The locker is out of order: have the door opened with its key, and say here that the item was handed out.':
    'Het vak is buiten gebruik: laat de deur met de sleutel openen, en zeg hier dat het artikel is uitgegeven.',
  'The locker service could not be asked what happened at the doors.':
    'De kluisdienst kon niet worden gevraagd wat er bij de deuren gebeurde.',
  'The locker service could not say it: {0}.': 'De kluisdienst kon het niet zeggen: {0}.',
  'The locker service has it with the number of this case.':
    'De kluisdienst heeft het met het nummer van deze zaak.',
  'The locker service has no booking of this case (asked {0}), so this books once.':
    'De kluisdienst heeft geen boeking van deze zaak (gevraagd {0}), dus dit boekt één keer.',
  'The locker service has no booking with the number of this case.':
    'De kluisdienst heeft geen boeking met het nummer van deze zaak.',
  'The locker service has {0} of this case already: this books one more, and nobody gives the first one back.':
    'De kluisdienst heeft al {0} van deze zaak: dit boekt er nog een, en niemand geeft de eerste terug.',
  'The locker service has {0} with the number of this case: {1}.':
    'De kluisdienst heeft {0} met het nummer van deze zaak: {1}.',
  'The locker service reports an item that no open case has.{0}{1}':
    'De vakkendienst meldt een artikel dat geen open zaak heeft.{0}{1}',
  'The locker service reports {0}': 'De kluisdienst meldt {0}',
  'The locker that was asked for becomes free, and is booked':
    'Het gevraagde vak komt vrij, en dat wordt geboekt',
  'The lockers at {0} cannot be opened at the moment.':
    'De vakken bij {0} kunnen op dit moment niet worden geopend.',
  'The name of a person.': 'De naam van een persoon.',
  'The name or the password is wrong. Try again.':
    'De naam of het wachtwoord is onjuist. Probeer het opnieuw.',
  'The next booking may get this locker.': 'De volgende boeking kan dit vak krijgen.',
  'The next booking may get this locker. Say so only once the item is out.':
    'De volgende boeking kan dit vak krijgen. Zeg het pas als het artikel eruit is.',
  'The person holds it then, and nobody else may answer it; in another inbox nobody holds it at first. The case keeps your name.':
    'De persoon heeft het dan, en niemand anders mag antwoorden; in een andere inbox heeft niemand het eerst. De zaak bewaart uw naam.',
  'The person who is named, or else the desk, takes out of a locker once, or the locker stays booked.':
    'Wie genoemd is, of anders de balie, haalt één keer iets uit een vak, of het vak blijft geboekt.',
  'The provider did not sign you in. Sign in again':
    'De aanmelddienst heeft u niet aangemeld. Meld opnieuw aan',
  'The provider gives no name that the console can use':
    'De aanmelddienst geeft geen naam die de console kan gebruiken',
  "The provider's answer is not valid. Sign in again; if it fails again, the console's log has the reason":
    'Het antwoord van de aanmelddienst is niet geldig. Meld opnieuw aan; mislukt het weer, dan staat de reden in het logboek van de console',
  'The receiver': 'De ontvanger',
  'The reports are closed, and no case gets them. Later ones are kept again.':
    'De meldingen worden gesloten, en geen zaak krijgt ze. Latere worden weer bewaard.',
  'The returned item': 'Het teruggebrachte artikel',
  'The returned item: {0}': 'Het teruggebrachte artikel: {0}',
  'The sender': 'De afzender',
  'The service sets this account as the receiver, and tells the person when the item can be fetched. It refuses if the shipment has a receiver already.':
    'De dienst stelt dit account in als ontvanger, en zegt de persoon wanneer het artikel kan worden opgehaald. Ze weigert als de zending al een ontvanger heeft.',
  'The shipment waits for another receiver then; this person can no longer fetch the item.':
    'De zending wacht dan op een andere ontvanger; deze persoon kan het artikel niet meer ophalen.',
  'The sign-in provider cannot be reached, or does not answer as an OpenID provider. Try again; if it fails again, check CONSOLE_OIDC_ISSUER.':
    'De aanmelddienst is niet bereikbaar, of antwoordt niet als een OpenID-dienst. Probeer het opnieuw; mislukt het weer, controleer dan CONSOLE_OIDC_ISSUER.',
  'The user': 'De gebruiker',
  'Their deadlines have passed.': 'De termijnen zijn verstreken.',
  'There is less time than was promised: who has been told the old end must hear of it.':
    'Er is minder tijd dan was beloofd: wie het oude einde kent, moet dit horen.',
  'There is no account {0}, or it cannot be seen.': 'Er is geen account {0}, of het is niet in te zien.',
  'There is no pick up point {0}. Choose one of the list.':
    'Er is geen afhaalpunt {0}. Kies er een uit de lijst.',
  'They are empty, and nobody has put them in order again.':
    'Ze zijn leeg, en niemand heeft ze weer in gebruik gesteld.',
  'They are kept for {0} from their arrival, and then closed as not claimed.':
    'Ze worden {0} na aankomst bewaard, en dan gesloten als niet opgeëist.',
  'They are tried again every five minutes, in their order, until they are taken.':
    'Ze worden elke vijf minuten opnieuw geprobeerd, op volgorde, tot ze zijn aangenomen.',
  'They stand still, for as long as nobody decides; what they would do after a time waits, too. The deadlines of what they have booked or started run on, and can be extended.':
    'Ze staan stil zolang niemand beslist; wat ze na een tijd zouden doen, wacht ook. De termijnen van wat ze hebben geboekt of gestart lopen door, en kunnen worden verlengd.',
  'They can do nothing while {0} is offline: extend the deadline, and tell them.':
    'Ze kunnen niets doen zolang {0} offline is: verleng de termijn, en licht ze in.',
  'They cannot {0} while {1}: extend the deadline, and tell them.':
    'Ze kunnen het niet {0} zolang {1}: verleng de termijn, en licht ze in.',
  'Wrong input: {0}.': 'Verkeerde invoer: {0}.',
  'This link signs in once, and it was used already, is too old, or is of an earlier start. For a new one: npx lockerflow console-link.':
    'Deze link meldt één keer aan, en is al gebruikt, te oud, of van een eerdere start. Voor een nieuwe: npx lockerflow console-link.',
  'This locker service does not tell who opened its doors.':
    'Deze kluisdienst zegt niet wie de deuren heeft geopend.',
  'This sign-in was not begun in this browser, was used already, or took longer than 10 minutes. Sign in again.':
    'Deze aanmelding is niet in deze browser begonnen, is al gebruikt, of duurde langer dan 10 minuten. Meld opnieuw aan.',
  'This workflow has no chart: it is none of the flows.':
    'Deze workflow heeft geen schema: het is geen van de processen.',
  'Timed out': 'Tijd verstreken',
  'To be dropped off': 'In te leggen',
  'To be picked up': 'Op te halen',
  'Tried: {0}.': 'Geprobeerd: {0}.',
  'Try again': 'Opnieuw proberen',
  Wait: 'Wachttijd',
  'Waits for a receiver': 'Wacht op een ontvanger',
  'Was in {0}': 'Was in {0}',
  'What became of its item': 'Wat er van het artikel werd',
  'What it keeps': 'Wat het bewaart',
  'What may be booked already is looked for again: {0}':
    'Wat misschien al is geboekt, wordt weer opgezocht: {0}',
  'What was booked is undone': 'Wat was geboekt, wordt teruggedraaid',
  'Whether it was booked could not be asked ({0}): this may book a second locker.':
    'Of er is geboekt, kon niet worden gevraagd ({0}): dit kan een tweede vak boeken.',
  'Who has taken it out of order is not known.': 'Wie het buiten gebruik heeft gesteld, is niet bekend.',
  'Who opened the door, and what was wrong with it. It is kept with your name.':
    'Wie de deur heeft geopend, en wat eraan mankeerde. Het wordt met uw naam bewaard.',
  'Whoever goes there can put nothing in, and take nothing out.':
    'Wie erheen gaat, kan niets inleggen en niets uitnemen.',
  'Whoever stands before it cannot put the item in, or take it out.':
    'Wie ervoor staat, kan het artikel niet inleggen of uitnemen.',
  'Whoever wanted it still waits.': 'Wie het wilde, wacht nog.',
  'With its borrower': 'Bij de lener',
  'With the user{0}': 'Bij de gebruiker{0}',
  'With them{0}': 'Bij hen{0}',
  'Work, new: {0}': 'Werk, nieuw: {0}',
  'Work, still open: {0}': 'Werk, nog open: {0}',
  'Work: a test message': 'Werk: een testbericht',
  'Work: all clear': 'Werk: alles is gedaan',
  'Write it off': 'Afschrijven',
  'Written off': 'Afgeschreven',
  'Written off by {0}': 'Afgeschreven door {0}',
  'Written off by {0} {1}': 'Afgeschreven door {0} {1}',
  'You may answer it; {0}, who has judged before, may not (four eyes).':
    'U mag antwoorden; {0}, die al heeft beoordeeld, mag dat niet (vier ogen).',
  'You may not answer in the inbox {0}: this needs the right to act on cases, or a right to the inbox.':
    'U mag in de inbox {0} niet antwoorden: daarvoor is het recht nodig om zaken te bedienen, of een recht op de inbox.',
  'You may not answer it: another person must, who has not judged before (four eyes).':
    'U mag niet antwoorden: dat moet iemand anders, die nog niet heeft beoordeeld (vier ogen).',
  'You may not answer it: only {0} may.': 'U mag niet antwoorden: alleen {0} mag dat.',
  'a code was tried at {0}: {1}': 'er is een code geprobeerd bij {0}: {1}',
  'a code was typed at {0}, and did not open it': 'er is een code getypt bij {0}, en die opende het niet',
  'a door of {0} is shut again, after {1}': 'een deur van {0} is weer dicht, na {1}',
  'a flow that it has started': 'een proces dat het heeft gestart',
  'a locker': 'een vak',
  'a locker that it does not name': 'een vak dat ze niet noemt',
  'a mechanic is asked for at {0}: {1}{2}': 'er wordt een monteur gevraagd bij {0}: {1}{2}',
  'a message was compared with the codes of {0}: nobody saw them':
    'een bericht is vergeleken met de codes van {0}: niemand zag ze',
  'a phone number': 'een telefoonnummer',
  'a reason is needed; it is kept with your name': 'een reden is nodig; die wordt met uw naam bewaard',
  'a receiver is to be set for {0}': 'er moet een ontvanger worden ingesteld voor {0}',
  'a rule of its flow has a mistake': 'een regel van het proces bevat een fout',
  'a shipment whose role is not known': 'een zending met een onbekende rol',
  'a worker failed at it: {0}': 'een worker liep erop vast: {0}',
  'a worker failed at it: {0}. It is tried again and again: deploy workers with the defect mended, and it goes on; or end it with temporal workflow terminate, which undoes nothing':
    'een worker liep erop vast: {0}. Het wordt steeds opnieuw geprobeerd: rol workers uit waarin het defect is hersteld, dan gaat het verder; of beëindig het met temporal workflow terminate, dat niets ongedaan maakt',
  'a wrong code was typed at {0}': 'er is een verkeerde code getypt bij {0}',
  'allow larger lockers': 'grotere vakken toestaan',
  'allow overflow lockers': 'andere afhaalpunten toestaan',
  'an account that cannot be seen': 'een account dat niet te zien is',
  'an e-mail address': 'een e-mailadres',
  'and {0} more': 'en nog {0}',
  'another case also follows {0}': 'een andere zaak volgt ook {0}',
  'another case takes over {0}': 'een andere zaak neemt {0} over',
  'any locker': 'elk vak',
  'any locker that fits': 'elk passend vak',
  'any {0} locker': 'elk {0}-vak',
  'any {0} locker or a larger one': 'elk {0}-vak of groter',
  are: 'zijn',
  'as JSON': 'als JSON',
  'at least {0}': 'ten minste {0}',
  'at most {0}': 'ten hoogste {0}',
  'at {0} {1}': 'bij {0} {1}',
  back: 'terug',
  'being put in': 'wordt erin gelegd',
  'being started': 'wordt gestart',
  bring: 'brengen',
  'cancel it at the locker service first, or start it again all the same':
    'annuleer het eerst bij de kluisdienst, of start het toch opnieuw',
  'cancellation asked for': 'annulering gevraagd',
  'cancels {0}': 'annuleert {0}',
  'case number': 'zaaknummer',
  claimed: 'overgenomen',
  'come for': 'komen ophalen',
  'could not be sent': 'niet verstuurd',
  'could not begin': 'kon niet beginnen',
  'decisions of cases': 'beslissingen van zaken',
  delivered: 'bezorgd',
  'delivered {0}': 'bezorgd {0}',
  'do what is late': 'doe wat te laat is',
  'doors that stand open': 'deuren die openstaan',
  dropped: 'weggelaten',
  'due {0}': 'uiterlijk {0}',
  'events that are not taken': 'gebeurtenissen die niet worden aangenomen',
  'every case with these keys gets the event': 'elke zaak met deze nummers krijgt de gebeurtenis',
  'expected only one of {0}': 'verwacht wordt slechts een van {0}',
  extended: 'verlengd',
  'failed again': 'opnieuw mislukt',
  'failed again.': 'opnieuw mislukt.',
  'fetch it': 'het ophalen',
  'flows that it has started and that have ended': 'processen die het heeft gestart en die zijn afgelopen',
  'follows {0} from now on': 'volgt {0} vanaf nu',
  'follows {0} no longer': 'volgt {0} niet meer',
  from: 'van',
  'from now on': 'vanaf nu',
  'give it out, and say so': 'geef het uit, en zeg dat hier',
  'give it up': 'opgeven',
  'has an access code; leave it out': 'bevat een toegangscode; laat die weg',
  'has failed': 'is mislukt',
  'if the booking was made after all, it stays: cancel it at the locker service':
    'is er toch geboekt, dan blijft dat staan: annuleer het bij de kluisdienst',
  'in a locker': 'in een vak',
  'in order again': 'weer in gebruik',
  is: 'is',
  'is absent': 'ontbreekt',
  'is empty, said by {0}': 'is leeg, gezegd door {0}',
  'is missing: expected one of {0}': 'ontbreekt: verwacht wordt een van {0}',
  'is missing: several are open, expected one of {0}':
    'ontbreekt: er zijn er meer open, verwacht wordt een van {0}',
  'is no field of this question; expected {0}': 'is geen veld van deze vraag; verwacht wordt {0}',
  'is {0}': 'is {0}',
  'it asks {0}: {1}': 'het vraagt {0}: {1}',
  'it books again, and nothing twice: the service says whether it was booked':
    'het boekt opnieuw, en niets dubbel: de dienst zegt of er is geboekt',
  'it books again: if the service cannot be asked whether it was booked, retry may book a second time':
    'het boekt opnieuw: kan de dienst niet worden gevraagd of er is geboekt, dan kan er een tweede keer worden geboekt',
  'it calls {0}': 'het roept {0} aan',
  'it does not list its shipments': 'ze toont haar zendingen niet',
  'it does not say that it has verified the email address (email_verified)':
    'ze zegt niet dat ze het e-mailadres heeft gecontroleerd (email_verified)',
  'it ends: {0}': 'het eindigt: {0}',
  'it fails: {0}': 'het mislukt: {0}',
  'it goes on': 'het gaat verder',
  'it goes on with what was booked': 'het gaat verder met wat er is geboekt',
  'it goes on with what was booked; the service could not be asked whether it has this shipment ({0}); run lockerflow compare later':
    'het gaat verder met wat er is geboekt; de dienst kon niet worden gevraagd of die deze zending heeft ({0}); voer later lockerflow compare uit',
  'it goes on without that event': 'het gaat verder zonder die gebeurtenis',
  'it has ended': 'het is afgelopen',
  'it has ended since': 'het is sindsdien geëindigd',
  'it has locker {0} of {1}': 'het heeft vak {0} van {1}',
  'it has sent no ID token': 'ze heeft geen ID-token gestuurd',
  'it has stopped at {0}: {1}': 'het is gestopt bij {0}: {1}',
  'it hears of an event': 'het hoort van een gebeurtenis',
  'it hears: “{0}”{1}': 'het hoort: “{0}”{1}',
  'it is back': 'het is terug',
  'it is being booked': 'het wordt geboekt',
  'it is booked': 'er is geboekt',
  'it is cancelled': 'het wordt geannuleerd',
  'it is given up': 'het is opgegeven',
  'it is not as expected': 'het is niet zoals verwacht',
  'it is not known whether the booking was made': 'het is niet bekend of er is geboekt',
  'it is not known whether {0} has a locker: if it has, {1}':
    'het is niet bekend of {0} een vak heeft: zo ja, {1}',
  'it is out of sight until {0}': 'het is uit het zicht tot {0}',
  'it is overdue now': 'het is nu te laat',
  'it is seen again': 'het is weer te zien',
  'it is started': 'het wordt gestart',
  'it is started again: {0} ended with a result': 'het wordt opnieuw gestart: {0} eindigde met een resultaat',
  'it is not known whether the booking was made: {0}': 'het is niet bekend of er is geboekt: {0}',
  'it is started again: {0} failed': 'het wordt opnieuw gestart: {0} mislukte',
  'it is started again: {0} failed: {1}': 'het wordt opnieuw gestart: {0} mislukte: {1}',
  'it is started again: {0} took too long': 'het wordt opnieuw gestart: {0} duurde te lang',
  'it is started again: {0} was cancelled': 'het wordt opnieuw gestart: {0} is geannuleerd',
  'it is started again: {0} was terminated': 'het wordt opnieuw gestart: {0} is afgebroken',
  'it is terminated, and nothing is undone: {0}': 'het wordt afgebroken, en niets wordt teruggedraaid: {0}',
  'it is time for the reminder before {0}': 'het is tijd voor de herinnering voor {0}',
  'it is tried again': 'het wordt opnieuw geprobeerd',
  'it is written off': 'het is afgeschreven',
  'it lists more shipments than are read here': 'ze toont meer zendingen dan hier worden gelezen',
  'it needs a person now': 'het wacht nu op iemand',
  'it starts {0}': 'het start {0}',
  'it stayed shut': 'ze bleef dicht',
  'it tells 1 case with {0}: “{1}”': 'het meldt aan 1 zaak met {0}: “{1}”',
  'it tells whoever has {0}: “{1}”': 'het meldt aan wie {0} heeft: “{1}”',
  'it tells {0} cases with {1}: “{2}”': 'het meldt aan {0} zaken met {1}: “{2}”',
  'it undoes what its flow says, and ends': 'het draait terug wat het proces zegt, en eindigt',
  'it waits for a locker': 'het wacht op een vak',
  'it waits for a locker until {0}': 'het wacht op een vak tot {0}',
  'item {0}': 'nummer {0}',
  'items left in lockers': 'artikelen die in vakken zijn achtergebleven',
  'its holder': 'wie het heeft',
  'its locker': 'het vak',
  'its people, and it has none': 'de mensen ervan, en die zijn er niet',
  'its question': 'de vraag',
  'its state did not allow it': 'de toestand liet het niet toe',
  'its time': 'de tijd',
  'its time in “{0}”': 'de tijd in “{0}”',
  'its time in “{0}” is over': 'de tijd in “{0}” is voorbij',
  'its time is over': 'de tijd is voorbij',
  'its time is over: {0}': 'de tijd is voorbij: {0}',
  'its token has expired': 'het token is verlopen',
  'its wall says that it stayed shut': 'de wand zegt dat ze dicht bleef',
  'its wall was not connected in time': 'de wand was niet op tijd verbonden',
  'its wall was not reached': 'de wand was niet te bereiken',
  'larger lockers were allowed': 'grotere vakken waren toegestaan',
  'larger lockers were not allowed': 'grotere vakken waren niet toegestaan',
  later: 'later',
  'leaves {0} as it is': 'laat {0} zoals het is',
  'list lockers': 'geen vakken tonen',
  'list shipments': 'geen zendingen tonen',
  'locker {0}': 'vak {0}',
  'locker {0} at {1}': 'vak {0} bij {1}',
  'locker {0} of ': 'vak {0} van ',
  'locker {0}, {1}': 'vak {0}, {1}',
  'lockers that are out of order': 'vakken die buiten gebruik zijn',
  'messages to people': 'berichten aan mensen',
  'migrates it{0}': 'migreert het{0}',
  'missing: publish the file again': 'ontbreekt: publiceer het bestand opnieuw',
  month: 'maand',
  months: 'maanden',
  'more than the last {0} items that were said to be back or lost':
    'meer dan de laatste {0} artikelen die volgens iemand terug of kwijt zijn',
  'more than the last {0} notes and messages to cases that had ended':
    'meer dan de laatste {0} notities en berichten bij afgelopen zaken',
  'more than the last {0} of each kind of what people did at lockers':
    'meer dan de laatste {0} van elke soort van wat mensen bij vakken deden',
  'more than the last {0} of each kind of what was over at walls':
    'meer dan de laatste {0} van elke soort van wat bij wanden voorbij was',
  'more than {0} open cases are too many to ask where their items are; narrow the search':
    'meer dan {0} lopende zaken zijn te veel om te vragen waar hun artikelen zijn; beperk de zoekopdracht',
  'moved from locker {0} of {1}': 'verplaatst vanuit vak {0} van {1}',
  'moved from {0}': 'verplaatst vanuit {0}',
  'moved to {0}: {1}': 'verplaatst naar {0}: {1}',
  'moved: {0} has another locker, and this case is cancelled':
    'verplaatst: {0} heeft een ander vak, en deze zaak is geannuleerd',
  'moved; {0}': 'verplaatst; {0}',
  'must be in the future': 'moet in de toekomst liggen',
  'must be one of {0}': 'moet een van {0} zijn',
  'must be within 31 days': 'moet binnen 31 dagen liggen',
  'must be {0}': 'moet {0} zijn',
  'never again': 'nooit meer',
  'next on {0}': 'volgende op {0}',
  'next: {0}': 'daarna: {0}',
  'no connector takes {0}: set {1} for the console and for every worker':
    'geen koppeling neemt {0} aan: stel {1} in voor de console en voor elke worker',
  'no deadline': 'geen termijn',
  'no deadline of {0} runs': 'er loopt geen termijn van {0}',
  'no event': 'geen gebeurtenis',
  'no item of {0} is out': 'er is geen artikel van {0} uitgeleend',
  'no locker is free for {0} cm': 'geen vak is vrij voor {0} cm',
  'no locker service is configured': 'er is geen kluisdienst ingesteld',
  'no reason given': 'geen reden gegeven',
  'nobody is known whom the shipment {0} is for; a message needs a receiver or a sender':
    'niet bekend is voor wie de zending {0} is; een bericht vraagt om een ontvanger of een afzender',
  'nobody is known whom {0} is for; a message needs a receiver, or a person whom its flow names':
    'niet bekend is voor wie {0} is; een bericht heeft een ontvanger nodig, of een persoon die het proces noemt',
  'nobody with {0} has heard “{1}”': 'niemand met {0} heeft “{1}” gehoord',
  'nobody with {0} has heard “{1}” yet: it waits until {2}':
    'niemand met {0} heeft “{1}” nog gehoord: het wacht tot {2}',
  'not begun': 'niet begonnen',
  'not everything could be undone: {0}': 'niet alles kon worden teruggedraaid: {0}',
  'not known now': 'nu niet bekend',
  'not read here': 'hier niet gelezen',
  'not taken yet, and tried again ({0} times so far): {1}':
    'nog niet aangenomen, en opnieuw geprobeerd (tot nu toe {0} keer): {1}',
  'not taken: {0}': 'niet aangenomen: {0}',
  'nothing changes: the current state does not accept it':
    'er verandert niets: de huidige toestand laat het niet toe',
  'nothing is booked': 'er is niets geboekt',
  'nothing is known to be wrong': 'er is niet bekend dat er iets mis is',
  'nothing is known to be wrong there; say what the mechanic is to mend':
    'er is niet bekend dat daar iets mis is; zeg wat de monteur moet herstellen',
  'nothing is proposed': 'er wordt niets voorgesteld',
  'nothing is proposed for {0}; write what the person is to read':
    'voor {0} wordt niets voorgesteld; schrijf wat de persoon moet lezen',
  'of the shipment': 'van de zending',
  'of {0} ': 'van {0} ',
  'one item': 'één artikel',
  'one on each line': 'één per regel',
  'only the newest {0} are shown': 'alleen de nieuwste {0} worden getoond',
  'only the oldest {0} of {1} are shown': 'alleen de oudste {0} van {1} worden getoond',
  'only {0} of {1} lockers were read': 'slechts {0} van {1} vakken zijn gelezen',
  'open processes stay where they are: {0}; lockerflow migrate {1} says what would become of them':
    'lopende processen blijven waar ze zijn: {0}; lockerflow migrate {1} zegt wat ervan zou worden',
  optional: 'niet verplicht',
  'other pick up points were allowed': 'andere afhaalpunten waren toegestaan',
  'other pick up points were not allowed': 'andere afhaalpunten waren niet toegestaan',
  paused: 'gepauzeerd',
  'paused by {0}': 'gepauzeerd door {0}',
  'pick up point': 'afhaalpunt',
  'put back': 'teruggezet',
  'put it in': 'het inleggen',
  'put the item into {0}': 'leg het artikel in {0}',
  'questions of cases': 'vragen van zaken',
  reference: 'referentie',
  'refused ({0})': 'geweigerd ({0})',
  'removes the receiver of {0} while it is still stock, and else cancels it':
    'verwijdert de ontvanger van {0} zolang het nog voorraad is, en annuleert het anders',
  'removes the receiver of {0}, which is stock again':
    'verwijdert de ontvanger van {0}, dat weer voorraad is',
  'requests for a mechanic': 'aanvragen voor een monteur',
  'say that the locker is empty': 'zeg dat het vak leeg is',
  'search for people': 'geen mensen zoeken',
  'sets the receiver of {0}': 'stelt de ontvanger van {0} in',
  'several flows of {0} have the leg {1}; name one of them: {2}':
    'meer processen van {0} hebben de zending {1}; noem er een: {2}',
  'shipmentUid of {0}': 'shipmentUid van {0}',
  shortened: 'verkort',
  'since {0}': 'sinds {0}',
  size: 'maat',
  snoozed: 'uitgesteld',
  'somebody must fetch the item of {0} in locker {1} of {2}':
    'iemand moet het artikel van {0} ophalen uit vak {1} van {2}',
  'started again; {0}': 'opnieuw gestart; {0}',
  'starts that failed': 'mislukte starts',
  'take over what was booked': 'overnemen wat er is geboekt',
  'take the item out of {0}': 'haal het artikel uit {0}',
  'take the returned item out of {0}': 'haal het teruggebrachte artikel uit {0}',
  'taken a moment ago': 'zojuist bezet',
  'taken away again: it was {0}': 'weer weggenomen: het was {0}',
  'takes the migration back': 'draait de migratie terug',
  'takes the state of {0} as given': 'neemt de toestand van {0} zoals gezegd',
  'tell access codes': 'geen toegangscodes geven',
  'tell what happened to a shipment': 'niet zeggen wat er met een zending gebeurde',
  'tell who did what': 'niet zeggen wie wat deed',
  'the account is found or created': 'het account wordt gevonden of gemaakt',
  'the booking': 'de boeking',
  'the booking took too long: it is not known whether it was made':
    'de boeking duurde te lang: het is niet bekend of er is geboekt',
  'the booking for them is over': 'de boeking voor hen is voorbij',
  'the booking that is under way is undone once it is known':
    'de boeking die loopt, wordt teruggedraaid zodra ze bekend is',
  'the cases of its lockers': 'de zaken van de vakken',
  'the choice of a receiver': 'de keuze van een ontvanger',
  'the claim {0} {1}': 'de claim {0} {1}',
  'the code was wrong': 'de code was verkeerd',
  'the consequences are not known': 'de gevolgen zijn niet bekend',
  'the contact of the door says that it stayed shut': 'het contact van de deur zegt dat ze dicht bleef',
  'the desk': 'de balie',
  'the details of the account are set': 'de gegevens van het account worden ingesteld',
  'the door is stuck': 'de deur zit vast',
  'the door of locker {0} is stuck': 'de deur van vak {0} klemt',
  'the door of locker {0} of {1} stayed shut: {2}': 'de deur van vak {0} van {1} bleef dicht: {2}',
  'the door of locker {0} of {1} was left open, and still is':
    'de deur van vak {0} van {1} is open gelaten, en is dat nog',
  'the door of locker {0} stands open: shut it first, then say that the locker is empty':
    'de deur van vak {0} staat open: sluit ze eerst, en zeg dan dat het vak leeg is',
  'the door of {0} is shut again, after {1}': 'de deur van {0} is weer dicht, na {1}',
  'the door stayed shut': 'de deur bleef dicht',
  'the doors of its lockers': 'de deuren van de vakken',
  'the drop off': 'het inleggen',
  'the end is what it was': 'het einde is weer wat het was',
  'the end of a wait': 'het einde van een wachttijd',
  'the end of the states within': 'het einde van de toestanden erbinnen',
  'the end of {0}': 'het einde van {0}',
  'the end of {0} shipments is not known': 'van {0} zendingen is het einde niet bekend',
  'the entry ends': 'de regel eindigt',
  'the failure of {0}': 'de mislukking van {0}',
  'the input of {0} cannot be read any more: start it with its input':
    'de invoer van {0} is niet meer te lezen: start het met de invoer',
  'the input of {0} is not an object: start it with one that is':
    'de invoer van {0} is geen object: start het met een invoer die dat wel is',
  'the item of {0} is settled already': 'het artikel van {0} is al afgehandeld',
  'the item of {0} stays with whoever has it, and nobody waits for it any more: Work lists it until somebody says that it is back':
    'het artikel van {0} blijft bij wie het heeft, en niemand wacht er meer op: Werk toont het tot iemand zegt dat het terug is',
  'the locker service has answered “{0}”': 'de kluisdienst heeft “{0}” beantwoord',
  'the locker service has {0}, and nobody has chosen it yet':
    'de kluisdienst heeft {0}, en niemand heeft die nog gekozen',
  'the locker service is not configured here, and only it knows people and lockers':
    'de kluisdienst is hier niet ingesteld, en alleen zij kent mensen en vakken',
  'the message is on its way': 'het bericht is onderweg',
  'the messages to them': 'de berichten aan deze persoon',
  'the note is kept': 'de notitie is bewaard',
  'the note is kept, and nothing else changes': 'de notitie wordt bewaard, en verder verandert er niets',
  'the pick up': 'het ophalen',
  'the pick up point does not answer': 'het afhaalpunt antwoordt niet',
  'the pick up point of the account is set': 'het afhaalpunt van het account wordt ingesteld',
  'the program {0}': 'het programma {0}',
  'the receiver is changed': 'de ontvanger wordt gewijzigd',
  'the receiver of {0} is removed': 'de ontvanger van {0} is verwijderd',
  'the receiver of {0} is set': 'de ontvanger van {0} is ingesteld',
  'the receiver of {0} is to be removed': 'de ontvanger van {0} moet worden verwijderd',
  'the reports are closed, and no case gets them; later ones are kept again':
    'de meldingen zijn gesloten, en geen zaak krijgt ze; latere worden weer bewaard',
  'the reports do not show which leg is which, so it may be done or not: {0}':
    'de meldingen laten niet zien welke zending welke is, dus het kan klaar zijn of niet: {0}',
  'the request for a mechanic is on its way': 'de aanvraag voor een monteur is onderweg',
  'the right code was typed at {0}, and its door stayed shut':
    'de juiste code is getypt bij {0}, en de deur bleef dicht',
  'the rules of the flow have an error ({0})': 'de regels van het proces hebben een fout ({0})',
  "the sandbox's clock is moved: {0} ahead of the real time":
    'de klok van de sandbox wordt verzet: {0} voor op de echte tijd',
  'the service has no shipment {0}; expected one that it has booked':
    'de dienst heeft geen zending {0}; verwacht wordt een die ze heeft geboekt',
  'the shipment {0}': 'de zending {0}',
  'the shipments of the locker service': 'de zendingen van de kluisdienst',
  'the start': 'de start',
  'the start before': 'de vorige start',
  'the start before, {0},': 'de vorige start, {0},',
  'the state is set': 'de toestand is gezet',
  'the text has an access code; leave it out: the person has it from the locker service':
    'de tekst bevat een toegangscode; laat die weg: de persoon heeft die van de kluisdienst',
  'the undoing': 'het terugdraaien',
  'the wall': 'de wand',
  'there is no account {0}': 'er is geen account {0}',
  'there is no account {0}, or it cannot be seen': 'er is geen account {0}, of het is niet in te zien',
  'there is no deadline again': 'er is weer geen termijn',
  they: 'die',
  'this locker service cannot {0}': 'deze kluisdienst kan {0}',
  'this locker service does not have the operation that lists them':
    'deze kluisdienst heeft de bewerking niet die ze toont',
  'this locker service does not offer {0}': 'deze kluisdienst biedt {0} niet',
  'to be brought': 'te brengen',
  'to be filled': 'te vullen',
  'to be put in': 'in te leggen',
  'to {0} from then': 'tot {0} daarna',
  'to {0}: {1}': 'aan {0}: {1}',
  'to {0}: {1}{2}': 'aan {0}: {1}{2}',
  today: 'vandaag',
  'under way': 'onderweg',
  'until must be in the future': 'until moet in de toekomst liggen',
  'until must be within 31 days': 'until moet binnen 31 dagen liggen',
  'until {0}': 'tot {0}',
  urgent: 'dringend',
  'waiting for a locker': 'wachtend op een vak',
  'was empty already': 'was al leeg',
  'was sent {0}': 'kreeg {0}',
  'was sent {0} before with the id {1}: it takes effect once':
    'kreeg {0} al eerder met id {1}: het telt één keer',
  'was sent {0}, which it does not take where it is; it takes {1}':
    'kreeg {0}, maar neemt dat niet waar het is; het neemt {1}',
  'what is snoozed': 'wat is uitgesteld',
  'whether cases go on': 'of zaken verdergaan',
  'The account is there': 'Het account is er',
  'The account was there already': 'Het account was er al',
  'The account was there already, and was left as it is: it differs in {0}':
    'Het account was er al en is gelaten zoals het is: het verschilt in {0}',
  'the locker service has it as {0}, and what comes after it begins there alone. Where somebody has put the item in or taken it out, say so by hand. Only where the service is wrong, say this all the same':
    'de kluisdienst heeft het als {0}, en alleen daar begint wat erop volgt. Heeft iemand het artikel erin gelegd of eruit gehaald, zeg dat dan met de hand. Alleen als de dienst het mis heeft, zeg dit toch',
  'Also where the locker service says otherwise': 'Ook als de kluisdienst iets anders zegt',
  'What would come after it, such as a return, does not begin there.':
    'Wat erop zou volgen, zoals een retour, begint daar niet.',
  'no worker has asked for work for more than a minute, so all cases stand still; start one, or check LOCKERFLOW_TASK_QUEUE':
    'er heeft langer dan een minuut geen worker om werk gevraagd, dus alle zaken staan stil; start er een, of controleer LOCKERFLOW_TASK_QUEUE',
  'what people did at lockers': 'wat mensen bij vakken deden',
  'what the case says of itself': 'wat de zaak over zichzelf zegt',
  'what the case says of itself now': 'wat de zaak nu over zichzelf zegt',
  'what the person may change is set': 'wat de persoon mag wijzigen, wordt ingesteld',
  'what was booked is undone': 'wat was geboekt, wordt teruggedraaid',
  'whether its items are still in the lockers': 'of de artikelen nog in de vakken liggen',
  'whether one is booked is not known': 'of er een is geboekt, is niet bekend',
  'whether somebody has said what became of it': 'of iemand heeft gezegd wat ervan werd',
  'which doors stand open': 'welke deuren openstaan',
  'which doors stayed shut, and which walls are offline':
    'welke deuren dicht bleven, en welke wanden offline zijn',
  'which walls are online again, and which doors are shut again':
    'welke wanden weer online zijn, en welke deuren weer dicht',
  'who asked for a mechanic': 'wie om een monteur vroeg',
  'who sent messages about items that no case follows':
    'wie berichten stuurde over artikelen die geen zaak volgt',
  'whoever maintains the flow': 'wie het proces onderhoudt',
  'whom it is for': 'wie het is voor',
  'with {0} {1}': 'met {0} {1}',
  'with {0} {1} in place of {2}': 'met {0} {1} in plaats van {2}',
  'without {0}': 'zonder {0}',
  year: 'jaar',
  years: 'jaar',
  'your item': 'uw artikel',
  '{0} (and {1} more)': '{0} (en nog {1})',
  '{0} ({1} parts).': '{0} ({1} delen).',
  '{0} ({1}), which it has started, is cancelled': '{0} ({1}), dat het heeft gestart, wordt geannuleerd',
  '{0} If that takes too long: under More it can be given up, or go on without what it was told.{1}':
    '{0} Duurt dat te lang: onder Meer kan het opgegeven worden, of doorgaan zonder wat het gehoord heeft.{1}',
  '{0} Only if nobody can correct it, decide what becomes of it.':
    '{0} Beslis alleen wat ermee gebeurt als niemand het kan verbeteren.',
  '{0} Please do not {1} {2} yet.{3}': '{0} Wilt u {2} nog niet {1}?{3}',
  '{0} Until then tell whoever wants to go there.': '{0} Licht tot dan in wie erheen wil.',
  '{0} and {1}': '{0} en {1}',
  '{0} answers it; others can assign it to themselves.':
    '{0} antwoordt; anderen kunnen het aan zichzelf toewijzen.',
  '{0} answers {1}{2}': '{0} beantwoordt {1}{2}',
  '{0} answers: “{1}”': '{0} antwoordt: “{1}”',
  '{0} are late: {1}': '{0} zijn te laat: {1}',
  '{0} are over': '{0} zijn voorbij',
  '{0} asked for a mechanic at {1}: {2}': '{0} vroeg om een monteur bij {1}: {2}',
  '{0} asks for a mechanic at {1}: {2}': '{0} vraagt om een monteur bij {1}: {2}',
  '{0} asks nothing now that {1} may answer': '{0} vraagt nu niets dat {1} mag beantwoorden',
  '{0} asks nothing now: somebody has answered, or its time has passed':
    '{0} vraagt nu niets: iemand heeft geantwoord, of de tijd is voorbij',
  '{0} assigns {1} to {2}': '{0} wijst {1} toe aan {2}',
  '{0} begins': '{0} begint',
  '{0} begins when {1} is dropped off': '{0} begint zodra {1} is ingelegd',
  '{0} begins when {1} is picked up': '{0} begint zodra {1} is opgehaald',
  '{0} books another locker{1}; once it has one, this case is cancelled{2}':
    '{0} boekt een ander vak{1}; zodra die er een heeft, wordt deze zaak geannuleerd{2}',
  '{0} brings the item to the locker': '{0} brengt het artikel naar het vak',
  '{0} can be published': '{0} kan worden gepubliceerd',
  '{0} cancels it': '{0} annuleert het',
  '{0} cannot be reached: the account does not have {1}':
    '{0} is niet bereikbaar: het account heeft niet {1}',
  '{0} cases did': '{0} zaken antwoordden',
  '{0} claims {1}': '{0} neemt {1}',
  '{0} cm': '{0} cm',
  '{0} comes to its end': '{0} loopt af',
  '{0} continues another shipment: its item lies in the locker of that':
    '{0} zet een andere zending voort: het artikel ligt in het vak daarvan',
  '{0} corrects its file and migrates the case to it': '{0} verbetert het bestand en migreert de zaak ernaar',
  '{0} counts no more': '{0} telt niet meer',
  '{0} decides: {1}{2}': '{0} beslist: {1}{2}',
  '{0} does not ask {1} now; open is {2}': '{0} vraagt {1} nu niet; open is {2}',
  '{0} does not have locker {1}; it has {2}': '{0} heeft vak {1} niet; het heeft {2}',
  '{0} does not have the command {1}': '{0} heeft de opdracht {1} niet',
  '{0} does not take this input: {1}': '{0} neemt deze invoer niet: {1}',
  '{0} doors of {1} stay shut': '{0} deuren van {1} blijven dicht',
  '{0} drops the event that cannot be taken': '{0} laat de gebeurtenis weg die niet kan worden gedaan',
  '{0} ended while somebody had its item. No locker is kept for it any more.':
    '{0} is geëindigd terwijl iemand het artikel had. Er wordt geen vak meer voor vrijgehouden.',
  '{0} ends {1}': '{0} loopt af {1}',
  '{0} failed: {1}': '{0} mislukte: {1}',
  '{0} failed{1} and is tried again: {2}': '{0} mislukte{1} en wordt opnieuw geprobeerd: {2}',
  '{0} follows the shipment; send the message from there, so that it stands in what happened':
    '{0} volgt de zending; verstuur het bericht daar, zodat het staat bij wat er is gebeurd',
  '{0} for {1}': '{0} voor {1}',
  '{0} gets the reports as if they had just come': '{0} krijgt de meldingen alsof ze net zijn gekomen',
  '{0} gives it up': '{0} geeft het op',
  '{0} gives the reports to {1}': '{0} geeft de meldingen aan {1}',
  '{0} h {1} min': '{0} u {1} min',
  '{0} has answered {1}': '{0} heeft {1} geantwoord',
  '{0} is for nobody now; say whom of its people it is to':
    '{0} is nu voor niemand; zeg aan wie van de betrokkenen het gericht is',
  '{0} is over': '{0} is voorbij',
  '{0} is still open, and may count on it: it can book this locker for the next person.':
    '{0} loopt nog en kan erop rekenen: die zaak kan dit vak voor de volgende persoon boeken.',
  '{0} of “{1}”': '{0} van “{1}”',
  '“{0}” is delivered to {1}': '“{0}” is bezorgd bij {1}',
  'the system for events': 'het systeem voor gebeurtenissen',
  'the delivery of “{0}”': 'de bezorging van “{0}”',
  'it tells {0}: “{1}”': 'het meldt aan {0}: “{1}”',
  '{0} has asked for a mechanic there already, and the other side does not have it yet: it is tried again':
    '{0} heeft daar al om een monteur gevraagd, en de andere kant heeft het nog niet: het wordt opnieuw geprobeerd',
  '{0} has asked for one there at {1}': '{0} heeft er daar om een gevraagd om {1}',
  '{0} has been started again since it was read: look at it as it is now':
    '{0} is opnieuw gestart sinds het is gelezen: bekijk het zoals het nu is',
  '{0} has ended just now: try again': '{0} is zojuist afgelopen: probeer het opnieuw',
  '{0} has ended with a result, and keeps its key: give a new one, such as {1}':
    '{0} is met een resultaat afgelopen en houdt zijn nummer: geef een nieuw, zoals {1}',
  "{0} has no group that may use the console. Ask the person who keeps the console's settings for one of the groups in CONSOLE_OIDC_GROUPS.":
    '{0} heeft geen groep die de console mag gebruiken. Vraag wie de instellingen van de console beheert om een van de groepen in CONSOLE_OIDC_GROUPS.',
  '{0} has no locker now; a mechanic can be sent for at its wall':
    '{0} heeft nu geen vak; bij de wand kan een monteur worden gevraagd',
  '{0} has no schedule {1}; did you mean {2}?': '{0} heeft geen schema {1}; bedoelt u {2}?',
  '{0} has no schedule {1}; expected one of {2}': '{0} heeft geen schema {1}; verwacht: een van {2}',
  '{0} has no shipment {1} and cannot use its reports, so nothing was claimed; make it one of its shipments first: “{2}” on its page, or lockerflow adopt':
    '{0} heeft geen zending {1} en kan de meldingen niet gebruiken, dus er is niets toegewezen; maak het eerst een van de zendingen: “{2}” op de pagina, of lockerflow adopt',
  '{0} has passed': '{0} is verstreken',
  '{0} has sent a message about it already, and the other side does not have it yet: it is tried again':
    '{0} heeft er al een bericht over verstuurd, en de andere kant heeft het nog niet: het wordt opnieuw geprobeerd',
  '{0} has sent one at {1}': '{0} heeft er een verstuurd om {1}',
  'The item is to be brought to a locker that is out of order: have it mended and put it in order again. If only the key opens the door, say here that the item was put in.':
    'Het artikel moet naar een vak dat buiten gebruik is: laat het repareren en neem het weer in gebruik. Gaat de deur alleen met de sleutel open, zeg dan hier dat het artikel erin ligt.',
  'The locker is out of order, and is booked for later: have it mended, and put it in order again.':
    'Het vak is buiten gebruik en is voor later geboekt: laat het repareren en neem het weer in gebruik.',
  'the item is not in stock any more, its shipment is {0}: put it into stock, and start another one with it':
    'het artikel is niet meer op voorraad, de zending is {0}: leg het op voorraad en start er een andere mee',
  'What it was to take over is over, or goes another way: start another one with an item that is there.':
    'Wat het zou overnemen is afgelopen of gaat een andere weg: start een andere met een artikel dat er is.',
  'Do for each what it says; or extend the deadlines, or cancel.':
    'Doe voor elk wat erbij staat; of verleng de termijnen, of annuleer.',
  'It is booked all the same: nothing can be put in, or taken out.':
    'Het is toch geboekt: er kan niets in of uit.',
  'Locker {0} of {1} is out of order, and an item is to be brought to it':
    'Vak {0} van {1} is buiten gebruik, en er moet een artikel naartoe',
  'Have it mended, and put it in order again. If only the key opens the door, say that the item was put in.':
    'Laat het repareren en neem het weer in gebruik. Gaat de deur alleen met de sleutel open, zeg dan dat het artikel erin ligt.',
  'Whoever brings the item cannot put it in.': 'Wie het artikel brengt, kan het er niet in leggen.',
  '{0} holds it, and alone may answer it: {1} can give it back, or it can be assigned to you.':
    '{0} heeft het genomen en mag als enige antwoorden: {1} kan het teruggeven, of het kan aan u worden toegewezen.',
  '{0} has taken it.': '{0} heeft het genomen.',
  '{0} has the case number {1}, and not {2}': '{0} heeft het zaaknummer {1}, en niet {2}',
  '{0} has the new locker': '{0} heeft het nieuwe vak',
  '{0} in locker {1}': '{0} in vak {1}',
  '{0} is a part of {1}, which has started it: start that again':
    '{0} is een deel van {1}, dat het heeft gestart: start dat opnieuw',
  '{0} is a shipment of {1}': '{0} is een zending van {1}',
  '{0} is answered': '{0} is beantwoord',
  '{0} is asked; whoever knows the answer and may give it answers. Take it first if others may work on it too.':
    '{0} is gevraagd; wie het antwoord weet en mag geven, antwoordt. Neem het eerst als anderen er ook aan werken.',
  '{0} is being booked or undone, or needs a person: nothing of it can be moved now':
    '{0} wordt geboekt of teruggedraaid, of wacht op iemand: er kan nu niets van worden verplaatst',
  '{0} is booked for it': '{0} is ervoor geboekt',
  '{0} is cancelled: until then its locker is kept booked{1}':
    '{0} wordt geannuleerd: tot dan blijft het vak geboekt{1}',
  '{0} is extended {1}': '{0} is verlengd {1}',
  '{0} is held by {1}, for {2}': '{0} is bij {1}, voor {2}',
  '{0} is in {1}. Please pick it up{2}.': '{0} ligt in {1}. Haal het alstublieft op{2}.',
  '{0} is more than one booking: what {1} does else cannot be moved':
    '{0} is meer dan één boeking: wat {1} verder doet, kan niet worden verplaatst',
  '{0} is none of the people of {1}': '{0} hoort niet bij {1}',
  '{0} is offline': '{0} is offline',
  '{0} is offline: {1} cannot be reached': '{0} is offline: {1} niet bereikbaar',
  '{0} is offline{1}: its doors cannot be opened': '{0} is offline{1}: de deuren kunnen niet open',
  '{0} is online again, after {1}': '{0} is weer online, na {1}',
  '{0} is open to everybody of {1}': '{0} is open voor iedereen van {1}',
  '{0} is reported as “{1}” after “{2}”': '{0} is gemeld als “{1}” na “{2}”',
  '{0} is sent': '{0} is gestuurd',
  'published flows that listen for it: {0}': 'gepubliceerde flows die ernaar luisteren: {0}',
  'no worker says how many processes listen': 'geen worker zegt hoeveel processen luisteren',
  'processes that listened just before: {0}': 'processen die vlak daarvoor luisterden: {0}',
  'started by it: {0}': 'daardoor gestart: {0}',
  'there already, so it starts nothing: {0}': 'bestaat al, dus het start niets: {0}',
  '{0} was sent before with the id {1}: it takes effect once':
    '{0} is al eerder gestuurd met id {1}: het telt één keer',
  '{0} is still being booked, and {1} keeps its locker': '{0} wordt nog geboekt, en {1} houdt het eigen vak',
  '{0} is {1}': '{0} is {1}',
  '{0} is {1}, said by {2}': '{0} is {1}, gezegd door {2}',
  '{0} items': '{0} artikelen',
  '{0} keeps its own: {1} has no locker ({2}: {3})': '{0} houdt het eigen vak: {1} heeft geen vak ({2}: {3})',
  '{0} less urgent entries are open.': 'Er staan {0} minder dringende regels open.',
  '{0} lockers of {1} are out of order': '{0} vakken van {1} zijn buiten gebruik',
  '{0} may not start {1}': '{0} mag {1} niet starten',
  '{0} may not {1}{2}': '{0} mag dit niet: {1}{2}',
  '{0} may still have what it booked ({1}): {2}': '{0} heeft misschien nog wat het boekte ({1}): {2}',
  '{0} min {1} s': '{0} min {1} s',
  '{0} more are open.': 'Er staan er nog {0} open.',
  '{0} not answer; check that a worker runs': '{0} niet; controleer of een worker draait',
  '{0} notes: {1}': '{0} noteert: {1}',
  '{0} of its token is not the one expected': '{0} van het token is niet wat werd verwacht',
  '{0} of size {1}{2} ({3})': '{0} van maat {1}{2} ({3})',
  '{0} of {1} are halted by the same error': '{0} van {1} staan stil door dezelfde fout',
  '{0} of {1} is “{2}”: only what has not been put in yet is moved':
    '{0} van {1} is “{2}”: alleen wat nog niet is ingelegd, wordt verplaatst',
  '{0} of {1} stand still: a worker fails at them': '{0} van {1} staan stil: een worker loopt erop vast',
  '{0} of {1} {2}{3}': '{0} van {1} {2}{3}',
  '{0} on {1}@{2}': '{0} op {1}@{2}',
  '{0} opened {1}': '{0} opende {1}',
  '{0} opened {1} to look inside': '{0} opende {1} om te kijken',
  '{0} opened {1} without a code{2}': '{0} opende {1} zonder code{2}',
  '{0} opened, but its shipment had changed before': '{0} ging open, maar de zending was al gewijzigd',
  '{0} or {1}': '{0} of {1}',
  '{0} people': '{0} personen',
  '{0} put {1} in order again': '{0} nam {1} weer in gebruik',
  '{0} puts the item into the locker': '{0} legt het artikel in het vak',
  '{0} read the codes of {1}': '{0} las de codes van {1}',
  '{0} releases {1}': '{0} geeft {1} terug',
  '{0} reported {1} as empty': '{0} meldde {1} als leeg',
  '{0} reported {1} as empty: its item was fetched': '{0} meldde {1} als leeg: het artikel is opgehaald',
  '{0} runs{1}: only what has ended is started again':
    '{0} loopt{1}: alleen wat is afgelopen, wordt opnieuw gestart',
  '{0} saw the codes of {1}': '{0} zag de codes van {1}',
  '{0} says that the item is back': '{0} zegt dat het artikel terug is',
  '{0} says that the item of {1} was put in or taken out, without a code':
    '{0} zegt dat het artikel van {1} is ingelegd of uitgenomen, zonder code',
  '{0} says that the item was put into {1}, without a code':
    '{0} zegt dat het artikel in {1} is gelegd, zonder code',
  '{0} says that the item was taken out of {1}, without a code':
    '{0} zegt dat het artikel uit {1} is gehaald, zonder code',
  '{0} sent a message about the item in {1}: “{2}”': '{0} stuurde een bericht over wat in {1} ligt: “{2}”',
  '{0} shipments for {1} legs': '{0} zendingen in plaats van {1}',
  '{0} starts again as {1}, with the input that it had{2}': '{0} begint opnieuw als {1}, met wat het had{2}',
  '{0} starts failed{1}': '{0} starts mislukten{1}',
  '{0} taken': '{0} bezet',
  '{0} takes the item out of the locker': '{0} haalt het artikel uit het vak',
  '{0} takes the returned item out of the locker': '{0} haalt het teruggebrachte artikel uit het vak',
  '{0} tells it: “{1}”': '{0} meldt: “{1}”',
  '{0} tells it: “{1}”{2}': '{0} meldt: “{1}”{2}',
  '{0} to be emptied': '{0} leeg te maken',
  '{0} to look inside': '{0} om te kijken',
  '{0} to {1} characters.': '{0} tot {1} tekens.',
  '{0} took it out of order{1}.': '{0} heeft het buiten gebruik gesteld{1}.',
  '{0} took too long': '{0} duurde te lang',
  '{0} took {1} out of order': '{0} stelde {1} buiten gebruik',
  '{0} took {1} out of order or put it in order: it was changed again since':
    '{0} stelde {1} buiten gebruik of weer in gebruik: het is sindsdien weer gewijzigd',
  '{0} tried to open {1} without a code: {2}': '{0} probeerde {1} zonder code te openen: {2}',
  '{0} tried to open {1}, and the door stayed shut': '{0} probeerde {1} te openen, en de deur bleef dicht',
  '{0} tries, the first {1}.': '{0} pogingen, de eerste {1}.',
  '{0} was cut short, and has undone nothing: if it has a locker, {1}':
    '{0} is afgebroken en heeft niets teruggedraaid: heeft het een vak, {1}',
  '{0} was ended by somebody else; {1} has the new locker: cancel it if nobody needs it':
    '{0} is door iemand anders beëindigd; {1} heeft het nieuwe vak: annuleer het als niemand het nodig heeft',
  '{0} was moved: its item has the locker of {1}': '{0} is verplaatst: het artikel heeft het vak van {1}',
  '{0} was not moved': '{0} is niet verplaatst',
  '{0} was opened to look inside, by {1}': '{0} is geopend om te kijken, door {1}',
  '{0} was opened with the code {1}for putting in': '{0} is geopend met de code {1}om in te leggen',
  '{0} was opened with the code {1}for taking out': '{0} is geopend met de code {1}om uit te nemen',
  '{0} was started without an input: start it with one': '{0} is zonder invoer gestart: start het met invoer',
  '{0} was to be picked up{1}. It is still in {2}: please come for it.':
    '{0} moest worden opgehaald{1}. Het ligt nog in {2}: haal het alstublieft op.',
  '{0} was to be put into {1}{2}. Please bring it as soon as you can.':
    '{0} moest in {1} worden gelegd{2}. Breng het alstublieft zo snel mogelijk.',
  '{0} went offline, and still is': '{0} ging offline, en is dat nog',
  '{0} with the booking {1}': '{0} met de boeking {1}',
  '{0} with their doors open': '{0} met de deur open',
  '{0} without a code': '{0} zonder code',
  '{0} writes the item off: nobody looks for it any more':
    '{0} schrijft het artikel af: niemand zoekt er nog naar',
  '{0} writes to {1}: “{2}”': '{0} schrijft aan {1}: “{2}”',
  '{0} {1} full: {2}': '{0} {1} vol: {2}',
  '{0} {1} is started': '{0} {1} is gestart',
  '{0} {1} is there already': '{0} {1} bestaat al',
  '{0} {1} is started again': '{0} {1} is opnieuw gestart',
  '{0} {1} would be started': '{0} {1} zou worden gestart',
  '{0}, and others hear of it': '{0}, en anderen horen ervan',
  '{0}, and {1} is offline': '{0}, en {1} is offline',
  '{0}, because {1}': '{0}, omdat {1}',
  '{0}, said by {1}': '{0}, gezegd door {1}',
  '{0}, with an item inside': '{0}, met een artikel erin',
  '{0}. This concerns {1} {2}.': '{0}. Dit betreft {1} {2}.',
  '{0}: claimed by {1}': '{0}: toegewezen door {1}',
  '{0}: dropped by {1}': '{0}: weggelaten door {1}',
  '{0}: late': '{0}: te laat',
  '{0}: locker {1}': '{0}: vak {1}',
  '{0} is overdue{1}': '{0} is te laat{1}',
  '{0}: {1} is overdue{2}': '{0}: {1} is te laat{2}',
  '{0}; it holds once that begins': '{0}; dat geldt zodra dit begint',
  '{0}; or extend the deadline, or cancel.': '{0}; of verleng de termijn, of annuleer.',
  '{0}@{1} has this content already': '{0}@{1} heeft deze inhoud al',
  '{0}@{1} is the current version again, instead of {2}@{3}: new processes begin on it':
    '{0}@{1} is weer de huidige versie, in plaats van {2}@{3}: nieuwe processen beginnen erop',
  '{0}@{1} is published': '{0}@{1} is gepubliceerd',
  '{0}{1} end': '{0}{1} lopen af',
  '“{0}” asks {1}.': '“{0}” vraagt {1}.',
};
