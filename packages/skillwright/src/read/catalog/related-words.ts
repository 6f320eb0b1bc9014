// Words that people use for one another when they ask for something: everyday life, the office, software. A line is a
// group; a word may be in several. A match through a group counts half of a match of the word itself.

const groups = `
house home apartment flat condo property realty residence housing
rent rental lease tenant landlord
weather forecast temperature rain snow storm humidity
food meal dish cuisine recipe cook cooking ingredient kitchen
restaurant diner dining cafe eat
diet nutrition calorie nutrient vitamin
travel trip tour tourism vacation journey itinerary destination tourist
hotel accommodation lodging hostel
flight airline airport plane aviation aircraft
car vehicle automobile auto truck
gas petrol gasoline fuel diesel
train subway metro railway bus transit
movie film cinema series tv television streaming
show performance theater theatre musical
music song playlist album band tune soundtrack
book novel reading literature
game gaming gameplay player
soccer football
sport league team tournament athlete
money finance financial bank budget
loan mortgage credit debt repayment
invest investment investor stock portfolio fund equity trading
crypto cryptocurrency bitcoin ethereum blockchain
currency exchange dollar euro
job career employment vacancy
hire recruit recruitment talent freelance freelancer
resume cv
health medical medicine doctor disease illness patient hospital clinical
fitness workout exercise gym
clothes clothing apparel outfit wear fashion dress shirt
cosmetic makeup skincare beauty
buy purchase shop shopping order store
product item goods merchandise
discount coupon deal bargain promo voucher
gift present
picture image photo photograph photography screenshot
video clip footage youtube
audio sound voice speech
transcribe transcript transcription subtitle caption
law legal lawyer attorney legislation statute court
contract agreement clause
politics political parliament government congress election
school education educational student classroom
course class lesson curriculum training
teach tutor teacher tutoring instructor
learn study studying
exam test quiz assessment
language translate translation multilingual localization internationalization i18n
child children kid toddler
news headline journalism
article post blog
newsletter subscription
map navigation route direction
location place coordinates nearby
mail email inbox gmail outlook
message sms messaging chat
call phone telephone
conversation dialogue chat
note memo notebook
reminder todo task checklist
calendar schedule scheduling meeting appointment
chart graph plot diagram visualization visualize
spreadsheet excel xlsx csv sheet
document doc docx word
slide presentation powerpoint pptx deck
pdf acrobat
scan ocr handwriting scanned
web website site webpage internet online
url link domain
browser chrome playwright puppeteer
scrape crawl scraper crawler extract
search find lookup discover
server host ssh machine
cloud aws azure gcp
infrastructure terraform provisioning
deploy deployment release ship launch publish
bug defect error issue fault failure
debug debugging troubleshoot diagnose
fix repair solve resolve
code program programming software coding
developer engineer programmer
repository repo git github
commit changelog history
merge rebase conflict branch
review feedback critique
refactor cleanup restructure simplify
lint linter formatter formatting
dependency package library module upgrade
database db sql postgres mysql
query sql search
schema migration model
api endpoint rest http
webhook callback event
frontend react vue css html component
backend server service
container docker kubernetes
pipeline workflow automation ci automate
test testing unit coverage tdd
performance speed latency slow fast optimize
cache caching memoize
memory leak heap
thread concurrency async parallel race
security secure vulnerability hack breach threat attack hacker
login authentication auth signin password credential oauth
permission authorization role access
secret credential token key
privacy gdpr compliance
encrypt encryption cryptography
log logging monitoring observability tracing
alert incident outage oncall
ai llm gpt
prompt prompting
agent assistant chatbot bot
embedding vector rag retrieval
dataset data statistic
train training finetune
write writing draft compose writer copywriting
summary summarize digest synopsis overview
rewrite rephrase paraphrase polish reword proofread grammar
story tale fiction narrative storytelling
joke humor funny meme
create make build generate produce scaffold
remove delete erase
modify update change edit alter
convert transform export
compare comparison versus difference
analyze analysis analytics insight examine evaluate assess
audit inspect check verify validate
calculate compute calculator math mathematics arithmetic formula equation
research paper academic scholar scientific study
citation reference bibliography
idea brainstorm inspiration
plan planning roadmap
requirement specification spec
project management agile sprint
ticket issue jira
decision choose choice
habit routine productivity
marketing advertising ad advertise campaign promotion
seo keyword ranking serp
customer client lead prospect
sale selling revenue
company business firm enterprise corporate corporation startup
brand logo branding
charity nonprofit donation donate
survey questionnaire form poll
design designer ui ux layout
template theme style
font typography
color colour palette
art artwork painting museum drawing illustration
animation motion transition
3d mesh render
space nasa astronomy planet star astronaut
plant garden gardening flower
animal pet dog cat
earthquake quake seismic
personality temperament
astrology horoscope zodiac
puzzle crossword sudoku riddle
ticket concert event
insurance policy coverage
tax vat
invoice billing receipt payment
shipping delivery transport transporter carrier
electric ev charger charging
time clock timezone
count counter number
install setup configure configuration
documentation docs readme manual guide handbook
tutorial walkthrough
mobile android ios
application app
`;

/** Groups of words that can stand for one another, as they are written. */
export const relatedWords: readonly (readonly string[])[] = groups
  .trim()
  .split('\n')
  .map((line) => line.split(' '));
