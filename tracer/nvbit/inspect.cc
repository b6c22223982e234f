#include "tracer/nvbit/inspect.h"

namespace
{

using InstrType::OperandType;

uint8_t register_of(int number)
{
    return number >= 0 && number <= TRACE_REG_ZERO ? static_cast<uint8_t>(number)
                                                   : TRACE_REG_ZERO;
}

void add_source(tracer_inst &inst, int number)
{
    if (inst.src_count < TRACE_MAX_SRC)
        inst.src[inst.src_count++] = register_of(number);
}

std::string name_of(const char *prefix, int number)
{
    return number == InstrType::PT ? std::string(prefix) + "T"
                                   : prefix + std::to_string(number);
}

void add_predicate(std::string &text, const char *prefix, const InstrType::operand_t *operand)
{
    text += std::string(text.empty() ? "" : " ") + (operand->is_not ? "!" : "") +
            name_of(prefix, operand->u.pred.num);
}

std::string guard_of(Instr *instr)
{
    if (!instr->hasPred())
        return "";
    return std::string(instr->isPredNeg() ? "@!" : "@") +
           name_of(instr->isPredUniform() ? "UP" : "P", instr->getPredNum());
}

// Registers as Accel-Sim's tracer lists them: a general register as first operand
// is the destination, all others and those of addresses are sources, in order.
// Uniform registers and constants are passed over.
void add_operand(Inspected &inspected, const InstrType::operand_t *operand, bool first)
{
    tracer_inst &inst = inspected.inst;
    switch (operand->type) {
    case OperandType::MREF:
        add_source(inst, operand->u.mref.ra_num);
        inspected.operands++;
        break;
    case OperandType::REG:
        if (first)
            inst.dst[inst.dst_count++] = register_of(operand->u.reg.num);
        else
            add_source(inst, operand->u.reg.num);
        break;
    case OperandType::IMM_UINT64:
        inst.imm = operand->u.imm_uint64.value;
        break;
    case OperandType::PRED:
        add_predicate(inspected.predicates, "P", operand);
        break;
    case OperandType::UPRED:
        add_predicate(inspected.predicates, "UP", operand);
        break;
    default:
        break;
    }
}

ExitOperand exit_operand(Instr *instr)
{
    for (int i = 0; i < instr->getNumOperands(); i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        const bool uniform = operand->type == OperandType::UPRED;
        if (uniform || operand->type == OperandType::PRED)
            return {operand->u.pred.num != InstrType::PT || operand->is_not, uniform,
                    operand->is_not, operand->u.pred.num};
    }
    return {};
}

// The registers that give a barrier's number and threads.
std::vector<int> barrier_registers(Instr *instr)
{
    std::vector<int> registers;
    const std::string opcode = instr->getOpcode();
    if (opcode.substr(0, opcode.find('.')) != "BAR")
        return registers;
    for (int i = 0; i < instr->getNumOperands(); i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        if (operand->type == OperandType::REG && registers.size() < TRACE_MAX_VALUES)
            registers.push_back(operand->u.reg.num);
    }
    return registers;
}

} // namespace

void inspect(Inspected &inspected, Instr *instr, const char *function, uint32_t binary_version)
{
    inspected = Inspected();
    inspected.predicates = guard_of(instr);
    for (int i = 0; i < instr->getNumOperands(); i++)
        add_operand(inspected, instr->getOperand(i), i == 0);
    tracer_inst &inst = inspected.inst;
    inst.function = function;
    inst.opcode = instr->getOpcode();
    inst.predicates = inspected.predicates.c_str();
    inst.pc = instr->getOffset();
    inst.binary_version = binary_version;
    inst.memory = inspected.operands > 0;
    inspected.values = barrier_registers(instr);
    inst.values = static_cast<uint8_t>(inspected.values.size());
    if (tracer_inst_leaves(&inst))
        inspected.exit = exit_operand(instr);
}
