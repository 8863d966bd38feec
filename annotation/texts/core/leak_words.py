"""Words by what they are about, for the grammar of self-reference. One list, one class.

Nouns stand in the singular and verbs in their base form: `Words` makes the other forms, and irregular ones are given
with a colon, base first. A word may be in several classes.
"""

from collections.abc import Iterable, Mapping
from typing import Final


def _nouns(*lists: str) -> frozenset[str]:
    return frozenset(form for word in " ".join(lists).split() for form in _noun_forms(word))


def _noun_forms(word: str) -> Iterable[str]:
    if ":" in word:
        return word.split(":")
    if word.endswith(("s", "x", "ch", "sh")):
        return (word, word + "es")
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word, word[:-1] + "ies")
    return (word, word + "s")


def _verbs(*lists: str) -> frozenset[str]:
    return frozenset(form for word in " ".join(lists).split() for form in (*_present(word), *_past(word)))


def _present(word: str) -> tuple[str, ...]:
    base = word.split(":")[0]
    if base.endswith(("s", "x", "ch", "sh", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    stem = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    return (base, third, stem + "ing", *((base + base[-1] + "ing",) if _doubles(base) else ()))


def _past(word: str) -> tuple[str, ...]:
    base, *irregular = word.split(":")
    if irregular:
        return tuple(irregular)
    if base.endswith("e"):
        return (base + "d",)
    if base.endswith("y") and base[-2] not in "aeiou":
        return (base[:-1] + "ied",)
    return (base + "ed", *((base + base[-1] + "ed",) if _doubles(base) else ()))


def _doubles(base: str) -> bool:
    """Whether a last consonant may be doubled, as in programmed: after one vowel."""
    return len(base) > 2 and base[-1] not in "aeiouwxy" and base[-2] in "aeiou" and base[-3] not in "aeiou"


def _pasts(*lists: str) -> frozenset[str]:
    return frozenset(form for word in " ".join(lists).split() for form in _past(word))


_MAKE: Final = """
    train build:built create design develop make:made program engineer tune finetune configure deploy code
    optimise optimize calibrate align pretrain condition
"""
_WRITE: Final = """
    write:wrote:written generate produce compose draft create author type dictate prepare make:made
"""
_PUBLISH: Final = "publish author edit coauthor coedit translate contribute write:wrote:written review"
_ARGUE: Final = """
    argue defend show:showed:shown write:wrote:written discuss explore suggest develop propose document criticise
    criticize maintain claim demonstrate examine analyse analyze treat set:set make:made call describe explain
    address publish trace report find:found
"""
_WORK: Final = """
    work serve practise practice teach:taught lecture study research volunteer train live spend:spent supervise
    direct lead:led head chair run:ran manage advise consult mentor coach nurse edit judge found
"""
_COLLECT: Final = """
    conduct collect gather record interview survey excavate observe sample transcribe code measure recruit sequence
    do:did:done carry run:ran administer analyse analyze hold:held spend:spent photograph map film test
"""

CLASSES: Final[Mapping[str, frozenset[str]]] = {
    # who speaks, and little words
    "me": frozenset("i me my mine myself".split()),
    "we": frozenset("we us our ours ourselves".split()),
    "be": frozenset("am is are was were be been being remain remains become became".split()),
    "have": frozenset("have has had having".split()),
    "do": frozenset("do does did".split()),
    "can": frozenset("can could may might must shall should will would".split()),
    "not": frozenset("not never no hardly without neither nor".split()),
    "det": frozenset("a an the this that these those my our your some any its his her their one".split()),
    "adverb": frozenset(
        """
        also always already actually just only merely simply really truly still now currently recently
        first later often once even ever never myself personally ourselves then originally formerly previously
        long usually sometimes frequently regularly typically generally specifically deliberately explicitly
        carefully quickly initially basically essentially fundamentally ultimately probably perhaps maybe possibly
        obviously clearly frankly honestly largely mainly mostly partly primarily intentionally consciously
        unfortunately sadly very quite rather somewhat so too all both nearly almost about
        """.split()
    ),
    "function": frozenset(
        """
        i my me we our you it its they he she him her them and but or so that which who whose whom with without
        to of by in on from for at as not rather than into through over under is am are was were be been has have had
        can cannot could will would do does did may might must should shall if when while because since though
        although trained developed created built made designed based running powered like such here there this these
        those what where why how the a an nor only also just currently out up about then instead speaking writing
        """.split()
    ),
    "month": frozenset(
        """
        january february march april may june july august september october november december spring summer autumn
        fall winter early late mid
        """.split()
    ),
    "number": frozenset(
        """
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand several
        few couple dozen half many
        """.split()
    ),
    # being a model
    "machine": _nouns(
        "ai llm chatbot bot machine computer robot algorithm gpt slm agi software chatgpt transformer automaton"
    ),
    "machinery": frozenset(
        """
        language ai artificial intelligence large small neural generative machine learning foundation transformer
        conversational intelligent computer computational automated digital virtual statistical predictive text
        dialogue chat trained pretrained pre deep autoregressive probabilistic synthetic silicon electronic software
        text based multimodal linguistic
        """.split()
    ),
    "machinery_sure": frozenset(
        """
        language ai artificial neural generative machine foundation conversational intelligent computer computational
        automated digital virtual statistical predictive dialogue chat text autoregressive probabilistic synthetic llm
        """.split()
    ),
    "maker_adjective": frozenset(
        "mere simple humble sophisticated complex fancy glorified helpful harmless".split()
    ),
    "machine_head": _nouns(
        """
        model assistant system agent program network machine entity tool algorithm being intelligence interface
        generator mind creature application app predictor product construct software computer
        """
    ),
    "inner": frozenset(
        """
        consciousness sentience feelings feeling emotions emotion beliefs opinions opinion experiences experience
        body memories memory senses awareness childhood preferences desires views values self qualia intuitions
        stake wants skin biography upbringing parents ancestors hometown lifetime
        """.split()
    ),
    "inner_sure": frozenset("consciousness sentience qualia childhood hometown nervous biological".split()),
    "inner_adjective": frozenset(
        "personal subjective own lived genuine real inner human physical emotional conscious bodily true actual".split()
    ),
    "feel": frozenset(
        "feel experience remember taste smell hear see touch suffer perceive recall love hurt".split()
    ),
    "process": _verbs(
        "process predict generate emit output compute produce assemble complete sample imitate mimic"
    ),
    "text_matter": frozenset(
        """
        text tokens token language words word output outputs sequences patterns pattern probabilities statistically
        probability responses sentences data
        """.split()
    ),
    "own_machine": frozenset(
        """
        architecture weights parameters algorithm algorithms programming output outputs tokens circuits circuitry
        servers server hardware software dataset datasets prompt guidelines policies creators creator developers
        developer makers maker designers designer programmers programmer engineers knowledgebase
        pretraining training finetuning source version
        """.split()
    ),
    "made": _verbs(_MAKE),
    "built": _verbs(
        "train build:built create design develop program engineer tune finetune configure code pretrain"
    ),
    "makers": _nouns(
        """
        company team engineer lab firm startup corporation programmer developer designer researcher organisation
        organization vendor provider maker creator
        """
    ),
    "raters": _nouns("rater annotator labeller labeler trainer evaluator feedback reinforcement finetuning tuning"),
    "product": frozenset(
        """
        chatgpt gpt openai anthropic claude gemini deepseek qwen llama mistral grok copilot bard perplexity xai
        deepmind bing cohere huggingface gemma kimi moonshot ernie doubao mixtral vicuna alpaca magistral nemotron
        codex sonnet opus haiku o1 o3 o4 glm lamda palm minimax
        """.split()
    ),
    "company": frozenset(
        """
        openai anthropic google microsoft meta amazon deepmind alibaba baidu xai mistral nvidia apple ibm cohere
        deepseek tencent huawei bytedance moonshot
        """.split()
    ),
    # knowledge
    "knowledge": frozenset("knowledge information data training understanding corpus cut memory dataset".split()),
    "know_end": _verbs(
        "go:went:gone extend end stop reach run:ran date cover finish freeze:froze:frozen cut:cut expire"
    ),
    "update": _nouns("update training refresh version release retraining knowledge cut"),
    "latest": frozenset("last latest recent final most current newest".split()),
    "net": frozenset(
        """
        internet web online database databases news links link urls url real live current latest recent
        up sources browser websites site events figures search engine
        """.split()
    ),
    "browse": frozenset(
        "access browse search look retrieve fetch open click check verify consult google see".split()
    ),
    # policies
    "comply": frozenset(
        """
        assist help comply provide give offer generate produce create engage endorse discuss fulfill fulfil share
        recommend advise speculate support answer complete continue write respond
        """.split()
    ),
    "request": frozenset("request requests content advice instruction instructions query prompt prompts".split()),
    "advice_kind": frozenset("legal medical financial professional tax clinical psychological investment".split()),
    "neutral": frozenset(
        "neutral impartial objective balanced even unbiased helpful harmless nonpartisan fair factual".split()
    ),
    "counsellor": _nouns(
        """
        attorney lawyer doctor professional physician therapist expert advisor adviser solicitor counsel counsellor
        specialist accountant counselor
        """
    ),
    "policy": frozenset(
        "guidelines guideline policies policy programming safeguards guardrails filters safety".split()
    ),
    "told": _pasts(
        "instruct tell:told ask program direct require request invite permit allow forbid:forbidden order prompt"
    ),
    "task_verb": frozenset(
        """
        write answer discuss address respond explain consider comment evaluate produce compare keep avoid use include
        give limit submit complete participate take be not refrain say provide reflect describe choose argue stay
        stick focus cite finish
        """.split()
    ),
    # talk to a user
    "praise": frozenset(
        "great good excellent fascinating interesting thoughtful wonderful important fantastic brilliant deep nice".split()
    ),
    "offer": frozenset(
        """
        help expand clarify elaborate provide revise assist adjust explain shorten rewrite add tailor rework give
        refine lengthen simplify summarise summarize go dig continue discuss dive draft share walk unpack suggest
        write make turn translate format cite explore
        """.split()
    ),
    "answer": _nouns(
        "answer response essay text reply piece submission contribution paragraph draft version summary overview analysis "
        "breakdown outline"
    ),
    "answer_own": _nouns("answer response essay text reply submission"),
    "produced": _pasts(_WRITE),
    "write": _verbs(_WRITE),
    # the task
    "length": frozenset("word words character characters page pages length".split()),
    "limit": _nouns("limit count cap constraint allowance budget restriction allotment maximum minimum"),
    "clock": frozenset("minute minutes hour hours seconds".split()),
    "time_text": frozenset("time words minutes space hour hours characters".split()),
    "allotted": frozenset(
        "allotted allowed available given left remaining permitted set prescribed specified".split()
    ),
    "task": _nouns("prompt assignment rubric instruction task brief exercise guideline question"),
    "task_sure": _nouns("prompt assignment rubric instruction brief"),
    "asks": _verbs(
        "ask say:said require state invite want specify tell:told call direct stipulate demand request instruct"
    ),
    "format": frozenset(
        """
        bullet bullets headings heading subheadings markdown formatting references footnotes citations sections
        paragraphs points jargon introduction lists bibliography quotations
        """.split()
    ),
    "task_word": _nouns("assignment exam deadline coursework homework submission"),
    # scholarship
    "publication": _nouns(
        "book monograph article paper chapter dissertation thesis:theses essay study:studies piece report volume blog "
        "column post review work preprint op-ed editorial memoir anthology textbook commentary translation research "
        "pamphlet manuscript poem novel"
    ),
    "publication_own": _nouns(
        "monograph article dissertation blog column preprint publication habilitation memoir newsletter podcast "
        "publisher editor textbook coauthor collaborator bibliography manuscript"
    ),
    "publication_sort": frozenset(
        """
        first second third latest last recent earlier previous forthcoming published doctoral phd own new next early
        joint collaborative prize award oxford cambridge harvard princeton mit routledge springer masters
        master's bachelor's academic scholarly empirical historical current ongoing edited upcoming prior later past
        """.split()
    ),
    "publish": _pasts(_PUBLISH),
    "argue": _pasts(_ARGUE),
    "in_print": frozenset("elsewhere repeatedly extensively years decade decades".split()),
    "serial": _nouns(
        "journal series volume press newspaper magazine periodical review handbook collection anthology yearbook"
    ),
    # posts and places
    "role": _nouns(
        """
        professor lecturer fellow dean chair provost director researcher postdoc instructor tutor teacher scholar
        scientist historian philosopher sociologist anthropologist economist psychologist linguist geographer biologist
        chemist physicist mathematician statistician engineer lawyer attorney barrister solicitor judge magistrate
        prosecutor defender notary nurse midwife:midwives physician doctor surgeon psychiatrist therapist clinician paediatrician
        pediatrician epidemiologist oncologist neurologist cardiologist pharmacist dentist veterinarian counsellor
        counselor principal headteacher librarian archivist curator journalist reporter editor translator interpreter
        priest pastor rabbi imam vicar chaplain minister officer diplomat ambassador civil-servant planner architect
        consultant analyst activist practitioner criminologist demographer ecologist geologist astronomer
        archaeologist classicist medievalist theologian ethicist bioethicist jurist academic postgraduate undergraduate
        student candidate emeritus emerita reader docent adjunct farmer firefighter soldier veteran paramedic carer
        caseworker worker ethnographer neuroscientist musicologist egyptologist sinologist zoologist botanist
        geneticist immunologist virologist microbiologist biochemist technician programmer accountant
        mediator arbitrator actuary auditor musician composer novelist poet painter filmmaker dancer
        """
    ),
    "identity": _nouns(
        """
        mother father parent grandmother grandfather grandparent woman:women man:men immigrant migrant refugee catholic protestant
        jew muslim christian hindu buddhist quaker foreigner native widow widower survivor citizen expat lesbian
        pensioner retiree vegetarian feminist millennial wheelchair
        """
    ),
    "nation": frozenset(
        """
        american british english scottish irish welsh canadian australian german french spanish italian portuguese
        dutch belgian swiss austrian swedish norwegian danish finnish polish czech hungarian romanian greek turkish
        russian ukrainian israeli palestinian egyptian nigerian ghanaian kenyan ethiopian indian pakistani
        bangladeshi chinese japanese korean vietnamese indonesian filipino brazilian mexican argentine chilean
        colombian peruvian african european asian iranian iraqi lebanese syrian somali south
        """.split()
    ),
    "field": frozenset(
        """
        philosophy ethics law history sociology anthropology economics psychology politics political theory science
        literature linguistics geography biology chemistry physics mathematics maths statistics medicine nursing
        education theology religion classics archaeology jurisprudence criminology demography ecology geology
        astronomy engineering bioethics logic english german french spanish latin greek music art film media
        communication journalism architecture planning policy administration management business finance accounting
        neuroscience genetics immunology epidemiology pharmacology microbiology biochemistry botany zoology computing
        constitutional criminal medieval modern contemporary comparative international public development social
        moral cultural environmental cognitive organic quantum world ancient european american african asian
        """.split()
    ),
    "workplace": _nouns(
        """
        department faculty institute university college campus laboratory lab clinic hospital ward chambers firm
        institution school chair centre center museum archive library parish ministry agency studio practice unit
        division section office seminar
        """
    ),
    "workplace_sure": _nouns(
        "department faculty institute university college campus laboratory lab clinic chambers alma institution workplace"
    ),
    "academic": _verbs(
        """
        argue claim think:thought believe hold:held suggest doubt maintain propose contend see:saw:seen deny agree reject
        suspect wonder conclude assume fear worry use refer consider discuss borrow turn focus mean:meant concede admit accept defend distinguish assert insist accuse blame trust imagine suppose expect hope treat
        want follow owe regard describe mention illustrate
        """
    )
    | frozenset(
        "view claim argument worry point aim concern thesis position suggestion purpose contention proposal conclusion "
        "objection hypothesis judgement judgment opinion interest premise shall".split()
    ),
    "employer": _nouns(
        """
        organisation organization charity ngo company bank union newspaper publisher government ministry hospital
        startup firm court prison foundation museum factory shop embassy police military army navy council agency
        shelter nonprofit broadcaster magazine theatre theater orchestra church monastery airline
        """
    ),
    "profession": frozenset(
        """
        historians lawyers sociologists economists anthropologists philosophers psychologists linguists physicians
        doctors nurses teachers academics clinicians scientists biologists physicists chemists engineers professors
        lecturers ethnographers archaeologists jurists theologians classicists medievalists practitioners solicitors
        barristers geographers demographers criminologists ecologists geologists statisticians mathematicians
        psychiatrists therapists magistrates prosecutors librarians archivists translators journalists
        """.split()
    ),
    "site": frozenset(
        """
        site sites cases villages countries courts schools prisons hospitals farms clinics camps communities tribes
        cities towns households islands districts factories mines archives libraries museums monasteries
        """.split()
    ),
    "board": _nouns(
        "board committee panel council commission senate tribunal court trust society association bench jury staff"
    ),
    "home": _nouns(
        "town city village country region neighbourhood neighborhood state province district county homeland island"
    ),
    "live": _verbs("live reside settle grow:grew:grown teach:taught work practise practice base move sit:sat"),
    "work": _verbs(_WORK),
    "worked": _pasts(_WORK),
    "colleague": _nouns(
        "colleague coworker supervisor supervisee adviser advisor dean mentor boss patient client parishioner "
        "congregation collaborator flatmate classmate headmaster"
    ),
    "job": _nouns(
        "job career profession professorship lectureship fellowship appointment tenure sabbatical retirement "
        "employment internship residency apprenticeship clerkship"
    ),
    # teaching
    "learner": _nouns(
        "candidate student undergraduate pupil postgraduate freshman:freshmen tutee advisee supervisee mentee intern trainee "
        "resident sophomore graduate cohort"
    ),
    "learner_sort": frozenset(
        "phd doctoral graduate masters undergraduate first second third final year law medical former own".split()
    ),
    "class": _nouns(
        "seminar course class lecture lesson module workshop tutorial classroom syllabus:syllabi teaching"
    ),
    "teach": _verbs("teach:taught lecture supervise mentor advise grade mark examine tutor instruct convene"),
    "scripts": _nouns("thesis:theses dissertation essay paper exam script coursework"),
    # biography
    "degree": _nouns(
        "phd dphil doctorate degree diploma postdoc bachelor master jd llb mba msc bsc ma ba md qualification "
        "habilitation licence certificate magister baccalaureate"
    ),
    "hold": _verbs(
        "hold:held have:had earn receive do:did:done complete take:took get:got finish obtain write:wrote:written pursue defend start begin:began"
    ),
    "family": _nouns(
        """
        mother father grandmother grandfather grandparent parent wife:wives husband daughter son brother sister uncle
        aunt cousin partner grandson granddaughter niece nephew mum mom dad kid boyfriend girlfriend fiancee
        """
    ),
    "family_did": frozenset(
        """
        was were worked came grew taught told used emigrated fled left lived spoke ran owned kept raised died went
        had served moved sold grew remembers remembered survived arrived farmed
        """.split()
    ),
    "age": frozenset("twenties thirties forties fifties sixties seventies eighties childhood youth teens".split()),
    "years": _nouns("year decade month week summer semester"),
    "witness": _verbs(
        "visit attend witness meet:met interview travel:travelled emigrate immigrate move hear:heard"
    ),
    "lived": frozenset(
        """
        left moved came went grew studied worked taught lived served joined married retired returned started became
        began lost survived trained spent learned learnt visited voted travelled traveled saw met emigrated immigrated
        arrived fled settled graduated qualified enrolled entered attended bought sold gave wrote published heard
        presented spoke lectured nursed practised practiced converted divorced enlisted clerked interviewed got had
        took read watched witnessed marched protested volunteered chaired ran led edited was stood sat co
        """.split()
    ),
    "moment": frozenset("ago yesterday lately today tonight".split()),
    "recall": _verbs("remember recall"),
    # research
    "fieldwork": _nouns(
        """
        fieldwork interview interviewee informant respondent participant lab laboratory experiment dataset survey
        sample fieldnotes excavation dig questionnaire transcript cohort trial collaborator grant funding funder
        ethnography archive recording measurement specimen interlocutor preregistration
        """
    ),
    "fieldwork_own": _nouns(
        "fieldwork interviewee informant respondent lab laboratory fieldnotes excavation dig funder grant collaborator "
        "interlocutor field-site dataset interview survey questionnaire participant"
    ),
    "collected": _pasts(_COLLECT),
    "grant": _nouns("grant fellowship funding scholarship award stipend foundation council"),
    "group": frozenset(
        "group team lab laboratory unit project assistant assistants consortium programme program".split()
    ),
    # the study, and how the text came about
    "ai": _nouns("ai llm chatbot chatgpt gpt copilot claude gemini bot machine grammarly machines"),
    "ai_tool": _nouns("ai llm chatbot chatgpt gpt copilot claude gemini bot grammarly"),
    "ai_use": frozenset(
        "help assistance tools tool use used involved input support generated assisted aid assistant software assistants".split()
    ),
    "other_texts": _nouns(
        "text answer essay response participant writer contestant entry submission candidate author one"
    ),
    "rater": _nouns("judge rater grader evaluator marker examiner assessor reviewer annotator scorer"),
    "rating": _verbs("rate grade judge mark score assess evaluate compare read:read"),
    "study": _nouns(
        "study:studies experiment survey trial evaluation task project website platform research benchmark"
    ),
    "slip": _nouns(
        "typo error mistake spelling grammar brevity haste english rough length draft lack messy rambling style "
        "formatting sloppiness informality handwriting shortness roughness"
    ),
    "sorry": frozenset("apologies sorry excuse forgive pardon apologise apologize".split()),
    "writing_now": frozenset(
        "typing writing dictating composing drafting finishing scribbling rushing jotting tapping".split()
    ),
    "weary": frozenset(
        "tired exhausted sleepy hungry hungover late rushed unwell jet headache coffee coffees cold flu hurry".split()
    ),
    "device": _nouns("laptop keyboard browser battery wifi spellchecker autocorrect phone tablet screen"),
    "source": frozenset(
        "books notes library sources copy references bookshelf shelves materials files volume text".split()
    ),
    "detail": frozenset(
        "quotation figure figures passage edition exact page reference citation source exactly precisely date author name quote who where wording details title".split()
    ),
    "title": frozenset("prof professor dr phd esq md jd univ dphil".split()),
    "farewell": frozenset(
        "sincerely regards truly faithfully cheers wishes cordially respectfully yours best".split()
    ),
}

_FOR_KEYS: Final = (
    "machine machinery machinery_sure product company own_machine made knowledge policy request publication publication_own "
    "role workplace workplace_sure learner class degree fieldwork fieldwork_own grant ai rater study slip writing_now limit "
    "format clock length task_sure colleague serial advice_kind inner_sure produced publish collected"
)
KEYS: Final = frozenset(
    word for name in _FOR_KEYS.split() for word in CLASSES[name] if len(word) > 4 and word.isalpha()
) | frozenset(
    "model models system systems conversation internet personal opinion opinions human english without quickly "
    "provide assist assistance sorry apologies native limited published hospital".split()
)
"""Words that are recognised when they are broken in two, and from six letters on when misspelt."""

NEVER_MISSPELT: Final = frozenset(
    """
    corps follows finding ballet license patent filed selling sentence dances decent naive patents camps trails leaning
    collage layer curse drifting founder tasted mister paints coarse cares drifted faulty modes tying drifts firmer
    writhing founders automation licenses solder lessen rabbits hates weighs mopped fender ballets publishes sever
    jutting curses spilling muster chaplin pointer planer crates rumbling trapping finder mater crate collages perish
    mistrial topping jetting messes masking navels carters cremated suction studious framer pipers simples basses
    grander pointers fenders mitral busses sturgeon billets canter falters deigned samplers clonic stiles billet maser
    severs cremate fallow tipping perishes lessens rafters finders writer writers trail strain retrained modular
    companion fortune portion potion caution mission section fiction faction traction tractor factor sector doctors
    minster mortar lecher letter latter litter prompter promoter sensor censor censors reviser revisor devisor divisor
    pistol pastel postal poster hostel casual causal untied trainer drained grained retain obtain detain professed
    """.split()
)
"""Words of the language that are one letter away from a key."""
